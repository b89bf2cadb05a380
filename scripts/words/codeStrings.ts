// The string literals and template texts of TypeScript and JavaScript, found without a parser: a test over the whole repository has to be quick.
export interface FoundString {
  readonly line: number;
  readonly text: string;
}

const PLACEHOLDER = '…';
// After one of these a slash starts a regular expression, not a division.
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\n]|\b(?:return|typeof|case|await|default))\s*$/;

/** `firstLine` is the line of `code` in its file: a component has its script somewhere inside. */
export function codeStrings(code: string, firstLine = 1): FoundString[] {
  const found: FoundString[] = [];
  readCode(code, 0, firstLine, undefined, found);
  return found;
}

interface End {
  readonly at: number;
  readonly line: number;
}

/** Reads until `closing`, which ends a `${…}`, or to the end of the code. */
function readCode(
  code: string,
  from: number,
  firstLine: number,
  closing: '}' | undefined,
  found: FoundString[],
): End {
  let at = from;
  let line = firstLine;
  let depth = 0;
  while (at < code.length) {
    const sign = code.charAt(at);
    const two = code.slice(at, at + 2);
    if (sign === '\n') line += 1;
    if (two === '//') at = indexOrEnd(code, '\n', at);
    else if (two === '/*') {
      const end = indexOrEnd(code, '*/', at + 2);
      line += newlines(code.slice(at, end));
      at = end + 2;
    } else if (sign === '/' && BEFORE_PATTERN.test(code.slice(Math.max(0, at - 20), at)))
      at = patternEnd(code, at);
    else if (sign === "'" || sign === '"') {
      const end = quoteEnd(code, at, sign);
      found.push({ line, text: unescaped(code.slice(at + 1, end)) });
      at = end + 1;
    } else if (sign === '`') {
      const end = readTemplate(code, at + 1, line, found);
      ({ at, line } = end);
    } else if (closing !== undefined && sign === closing && depth === 0) return { at: at + 1, line };
    else {
      if (sign === '{') depth += 1;
      if (sign === '}') depth -= 1;
      at += 1;
    }
  }
  return { at, line };
}

function readTemplate(code: string, from: number, firstLine: number, found: FoundString[]): End {
  let at = from;
  let line = firstLine;
  let text = '';
  while (at < code.length && code[at] !== '`') {
    if (code[at] === '\\') {
      text += code.slice(at, at + 2);
      at += 2;
    } else if (code.startsWith('${', at)) {
      ({ at, line } = readCode(code, at + 2, line, '}', found));
      text += PLACEHOLDER;
    } else {
      if (code[at] === '\n') line += 1;
      text += code.charAt(at);
      at += 1;
    }
  }
  found.push({ line: firstLine, text: unescaped(text) });
  return { at: at + 1, line };
}

function quoteEnd(code: string, from: number, quote: string): number {
  let at = from + 1;
  while (at < code.length && code[at] !== quote && code[at] !== '\n') at += code[at] === '\\' ? 2 : 1;
  return at;
}

function patternEnd(code: string, from: number): number {
  let at = from + 1;
  let inClass = false;
  while (at < code.length && code[at] !== '\n' && (inClass || code[at] !== '/')) {
    if (code[at] === '[') inClass = true;
    if (code[at] === ']') inClass = false;
    at += code[at] === '\\' ? 2 : 1;
  }
  return at + 1;
}

function unescaped(text: string): string {
  return text.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1');
}

function indexOrEnd(code: string, search: string, from: number): number {
  const index = code.indexOf(search, from);
  return index === -1 ? code.length : index;
}

export function newlines(text: string): number {
  return text.split('\n').length - 1;
}
