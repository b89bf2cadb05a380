// What a user may read of a source file: string literals, template texts, the text and the labels of components, and every line of a page.
import { codeStrings, type FoundString, newlines } from './codeStrings.ts';

export function visibleStrings(file: string, source: string): FoundString[] {
  if (file.endsWith('.md')) return source.split('\n').map((text, index) => ({ line: index + 1, text }));
  const found =
    file.endsWith('.svelte') || file.endsWith('.html') ? componentStrings(source) : codeStrings(source);
  return found.filter(({ text }) => isWords(text));
}

/** One lower-case word is a name in the code; words and a capitalized word are read by users. */
function isWords(text: string): boolean {
  return /\s/.test(text.trim()) || /^[A-Z][a-z]+$/.test(text.trim());
}

const UNSEEN_ATTRIBUTE =
  /^(?:class|id|style|for|type|name|role|href|src|d|viewBox|points|transform|bind:.*|on:.*|aria-(?:controls|labelledby|describedby))$/;
const BLANK = (text: string) => text.replace(/[^\n]/g, ' ');

function componentStrings(source: string): FoundString[] {
  const found: FoundString[] = [];
  const markup = source
    .replace(/<!--[\s\S]*?-->/g, BLANK)
    .replace(/<style[\s\S]*?<\/style>/g, BLANK)
    .replace(
      /(<script[^>]*>)([\s\S]*?)(<\/script>)/g,
      (whole, open: string, code: string, _close, at: number) => {
        found.push(...codeStrings(code, lineAt(source, at + open.length)));
        return BLANK(whole);
      },
    );
  readMarkup(markup, found);
  return found;
}

/** Text between tags, attribute values, and the strings inside `{…}`, which is itself a placeholder in the text around it. */
function readMarkup(markup: string, found: FoundString[]): void {
  let text = '';
  let textFrom = 0;
  let at = 0;
  const end = () => {
    if (text.trim() !== '')
      found.push({
        line: lineAt(markup, textFrom + text.length - text.trimStart().length),
        text: joined(text),
      });
    text = '';
  };
  while (at < markup.length) {
    if (markup[at] === '{') {
      const close = braceEnd(markup, at);
      found.push(...codeStrings(markup.slice(at + 1, close), lineAt(markup, at)));
      // A block ({#if}, {:else}) separates two texts; a value is a part of one.
      if (/[#:/@]/.test(markup.charAt(at + 1))) end();
      else text += '…';
      at = close + 1;
    } else if (markup[at] === '<' && /[a-zA-Z/]/.test(markup.charAt(at + 1))) {
      end();
      at = readTag(markup, at, found);
    } else {
      if (text === '') textFrom = at;
      text += markup.charAt(at);
      at += 1;
    }
  }
  end();
}

/** Returns where the tag ends. */
function readTag(markup: string, from: number, found: FoundString[]): number {
  let at = from + 1;
  while (at < markup.length && markup[at] !== '>') {
    if (markup[at] === '{') {
      const close = braceEnd(markup, at);
      found.push(...codeStrings(markup.slice(at + 1, close), lineAt(markup, at)));
      at = close + 1;
    } else if (markup[at] === '"') {
      const name = /([\w:-]+)=$/.exec(markup.slice(Math.max(from, at - 40), at))?.[1] ?? '';
      const value = attributeValue(markup, at + 1, found);
      if (!UNSEEN_ATTRIBUTE.test(name)) found.push({ line: lineAt(markup, at), text: joined(value.text) });
      at = value.end + 1;
    } else at += 1;
  }
  return at + 1;
}

function attributeValue(markup: string, from: number, found: FoundString[]): { text: string; end: number } {
  let text = '';
  let at = from;
  while (at < markup.length && markup[at] !== '"') {
    if (markup[at] === '{') {
      const close = braceEnd(markup, at);
      found.push(...codeStrings(markup.slice(at + 1, close), lineAt(markup, at)));
      text += '…';
      at = close + 1;
    } else {
      text += markup.charAt(at);
      at += 1;
    }
  }
  return { text, end: at };
}

/** The brace that closes the one at `from`; braces inside strings are balanced in this repository. */
function braceEnd(markup: string, from: number): number {
  let depth = 0;
  for (let at = from; at < markup.length; at += 1) {
    if (markup[at] === '{') depth += 1;
    if (markup[at] === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return markup.length;
}

function lineAt(source: string, at: number): number {
  return newlines(source.slice(0, at)) + 1;
}

function joined(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
