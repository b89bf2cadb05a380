/** Finds secrets in a text in the forms that servers send them back in: as they are, escaped, percent-encoded, in base64 or hex. */
import { HIDDEN } from '../base/hidden.ts';
import { unescape, unescapeWithPlaces } from './unescape.ts';

interface Needle {
  readonly text: string;
  readonly isBase64: boolean;
}

/** From, and up to but not including. */
type Span = readonly [from: number, to: number];

/** JSON in a string of JSON, in a URL: deeper than this nobody packs. */
const MAX_LEVELS = 4;
/** Fewer characters of base64 than these occur by chance. */
const SHORTEST_CORE = 7;
/** A character of base64 at either end of a secret holds bits of its neighbor too. */
const BASE64_EDGE = 2;

export class SecretForms {
  readonly #needles: readonly Needle[];

  constructor(secrets: readonly string[]) {
    const forms = secrets.flatMap((secret) => [
      { text: secret, isBase64: false },
      // Form encoding writes a space so.
      { text: secret.replaceAll(' ', '+'), isBase64: false },
      // As they are escaped mostly: what stands before them may look like the beginning of an escape.
      ...escapedForms(secret).map((text) => ({ text, isBase64: false })),
      ...hexForms(secret).map((text) => ({ text, isBase64: false })),
      ...base64Cores(secret).map((text) => ({ text, isBase64: true })),
    ]);
    this.#needles = [...new Map(forms.map((form) => [form.text, form])).values()];
  }

  /** Does this text have to be looked at? Asked for every message of a burst. */
  mayBeIn(text: string): boolean {
    return this.isPlainIn(text) || (this.#needles.length > 0 && hasEscapes(text));
  }

  /** Is one of them in this text, not escaped? */
  isPlainIn(text: string): boolean {
    for (const needle of this.#needles) if (text.includes(needle.text)) return true;
    return false;
  }

  hide(text: string): string {
    if (!this.mayBeIn(text)) return text;
    const spans = [...this.#find(text)];
    let decoded = text;
    for (let level = 1; level <= MAX_LEVELS && hasEscapes(decoded); level += 1) {
      const next = unescape(decoded);
      if (next === decoded) break;
      decoded = next;
      if (this.isPlainIn(decoded)) spans.push(...this.#findEscaped(text, level));
    }
    return cover(text, spans);
  }

  #findEscaped(text: string, levels: number): readonly Span[] {
    const { decoded, starts, ends } = unescapeWithPlaces(text, levels);
    return this.#find(decoded).map(([from, to]) => [starts[from] ?? 0, ends[to - 1] ?? text.length]);
  }

  #find(text: string): readonly Span[] {
    const found: Span[] = [];
    for (const { text: needle, isBase64 } of this.#needles) {
      for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
        const span: Span = [at, at + needle.length];
        found.push(isBase64 ? withEdges(text, span) : span);
      }
    }
    return found;
  }
}

function hasEscapes(text: string): boolean {
  return text.includes('\\') || text.includes('%') || text.includes('&');
}

function escapedForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  // Half of a pair can't be percent-encoded.
  return /\p{Surrogate}/u.test(secret) ? [json] : [json, encodeURIComponent(secret)];
}

function hexForms(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex, hex.toUpperCase()];
}

/** What is the same in the base64 of any text that holds the secret, for each of its three alignments. */
function base64Cores(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const cores = [0, 1, 2].map((offset) => {
    const text = btoa(`${'\0'.repeat(offset)}${String.fromCharCode(...bytes)}`);
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  });
  return cores
    .filter((core) => core.length >= SHORTEST_CORE)
    .flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')]);
}

function withEdges(text: string, [from, to]: Span): Span {
  let [first, last] = [from, to];
  while (first > 0 && from - first < BASE64_EDGE && /[\w+/-]/.test(text[first - 1] ?? '')) first -= 1;
  while (last - to < BASE64_EDGE && /[\w+/-]/.test(text[last] ?? '')) last += 1;
  while (text[last] === '=') last += 1;
  return [first, last];
}

function cover(text: string, spans: readonly Span[]): string {
  let covered = '';
  let done = 0;
  for (const [from, to] of spans.filter((span) => !isHidden(text, span)).toSorted((a, b) => a[0] - b[0])) {
    // Spans that touch are parts of one secret.
    if (from > done || done === 0) covered += `${text.slice(done, from)}${HIDDEN}`;
    done = Math.max(done, to);
  }
  return covered + text.slice(done);
}

/** A secret that is a part of the placeholder itself must not be hidden twice. */
function isHidden(text: string, [from, to]: Span): boolean {
  const at = text.lastIndexOf(HIDDEN, from);
  return at >= 0 && to <= at + HIDDEN.length;
}
