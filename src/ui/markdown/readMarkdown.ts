/** Reads Markdown. A text that is nested too deep for the parser, which is recursive, is no Markdown here. */
import { lexer, type Token } from 'marked';

/** Deeper than this, what is nested is shown as text. */
export const MAX_DEPTH = 40;
/** Quotes, list markers and indents at the beginning of a line: each may open a level. */
const OPENERS = /^(?:[ \t>]|[-+*](?=[ \t>])|\d{1,9}[.)](?=[ \t>])){200}/m;

export function readMarkdown(text: string): readonly Token[] | undefined {
  if (OPENERS.test(text)) return undefined;
  try {
    return lexer(text);
  } catch {
    return undefined;
  }
}
