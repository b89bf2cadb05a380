/** Takes one level of JSON, HTML and percent escapes off a text, leniently: what is no escape stays as it is. */

/** Of percent escapes, those of one character: a byte that is no UTF-8 doesn't spoil its neighbors. */
const ESCAPE =
  /\\u[0-9a-f]{4}|\\["\\/bfnrt]|%(?:[cd][0-9a-f]%[89ab][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-9a-f](?:%[89ab][0-9a-f]){3}|[0-9a-f][0-9a-f])|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);/gi;
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const LAST_CODE_POINT = 0x10ffff;

export function unescape(text: string): string {
  return text.replace(ESCAPE, decode);
}

export interface Unescaped {
  readonly decoded: string;
  /** Where each character of the decoded text begins and ends in the text that it was decoded from. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

export function unescapeWithPlaces(text: string, levels: number): Unescaped {
  let found: Unescaped = { decoded: text, starts: range(text.length, 0), ends: range(text.length, 1) };
  for (let level = 0; level < levels; level += 1) found = unescapeOnce(found);
  return found;
}

function unescapeOnce({ decoded, starts, ends }: Unescaped): Unescaped {
  const next = { starts: [] as number[], ends: [] as number[] };
  const push = (from: number, to: number): void => {
    next.starts.push(starts[from] ?? 0);
    next.ends.push(ends[to - 1] ?? 0);
  };
  let done = 0;
  for (const { 0: escape, index } of decoded.matchAll(ESCAPE)) {
    for (; done < index; done += 1) push(done, done + 1);
    const { length } = decode(escape);
    for (let i = 0; i < length; i += 1) push(done, done + escape.length);
    done += escape.length;
  }
  for (; done < decoded.length; done += 1) push(done, done + 1);
  return { decoded: unescape(decoded), ...next };
}

function range(length: number, first: number): number[] {
  return Array.from({ length }, (_, i) => i + first);
}

function decode(escape: string): string {
  if (escape.startsWith('%')) return percentDecode(escape);
  if (escape.startsWith('&')) return decodeEntity(escape);
  const [, kind = ''] = escape;
  if (kind === 'u') return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  return SHORT[kind.toLowerCase()] ?? kind;
}

function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith('#')) return ENTITIES[name] ?? entity;
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : entity;
}

function percentDecode(character: string): string {
  try {
    return decodeURIComponent(character);
  } catch {
    // Not UTF-8: byte by byte.
    return character.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
