/** Takes one level of JSON escapes and percent-encoding off a text, leniently: what is no escape stays as it is. */

const ESCAPE = /\\u[0-9a-f]{4}|\\["\\/bfnrt]|(?:%[0-9a-f]{2})+/gi;
const SHORT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

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
    // A run of ASCII has three characters for each; of others, all of the run counts for each of them.
    const step = escape.length === 3 * length ? 3 : 0;
    for (let i = 0; i < length; i += 1) {
      if (step === 0) push(done, done + escape.length);
      else push(done + i * step, done + (i + 1) * step);
    }
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
  const [, kind = ''] = escape;
  if (kind === 'u') return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  return SHORT[kind.toLowerCase()] ?? kind;
}

function percentDecode(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    // Not UTF-8: byte by byte.
    return run.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
