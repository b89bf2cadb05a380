/** Reads Markdown. Undefined for what no screen could show: nested too deep for the parser, which is recursive, or too much of it. */
import { lexer, walkTokens, type Token } from 'marked';

/** Quotes, list markers and indents at the beginning of a line: each may open a level. */
const OPENERS = /^(?:[ \t>]|[-+*](?=[ \t>])|\d{1,9}[.)](?=[ \t>])){200}/m;
/** Each of them is an element of the page. */
const MAX_TOKENS = 10_000;

export function readMarkdown(text: string): readonly Token[] | undefined {
  if (OPENERS.test(text)) return undefined;
  try {
    const tokens = lexer(text);
    let count = 0;
    void walkTokens(tokens, () => {
      count += 1;
    });
    return count > MAX_TOKENS ? undefined : tokens;
  } catch {
    return undefined;
  }
}
