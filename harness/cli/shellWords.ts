/** A command as it is typed in a shell, split into its words. Nothing else of a shell is done with it. Pure. */
import { HarnessError } from '../harnessError.ts';

export function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  const parts = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|(\s+)|([^\s'"\\]+)|(.)/gs;
  for (const [, single, double, escaped, space, plain, stray] of text.matchAll(parts)) {
    if (stray !== undefined)
      throw new HarnessError('usage', `A quotation mark (${stray}) has no end: ${text}`);
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '');
  }
  if (word !== undefined) words.push(word);
  if (words.length === 0)
    throw new HarnessError('usage', '--stdio requires a command, such as "node server.js".');
  return words;
}
