/** What the user gave to reach the servers of a run: it must not stand in any output. */
import { Redactor } from '../../src/wire/redact.ts';
import { HarnessError } from './harnessError.ts';

export interface Given {
  readonly url: string;
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Names of query parameters whose value is a key. */
const KEY_NAME = /key|token|secret|passw|pwd|auth|credential|signature|sig$|^code$|jwt|session|^sid$/i;

export class Secrets {
  readonly #redactor = new Redactor();

  constructor(given: readonly Given[]) {
    for (const { url, bearer, headers = {} } of given) {
      const parts = Object.values(headers).flatMap(partsOf);
      const values = [...(bearer === undefined ? [] : [bearer]), ...parts, ...keysIn(url)];
      this.#redactor.protect({ ...(bearer !== undefined && { bearer }), headers });
      this.#redactor.protectValues(values.flatMap(formsOf));
    }
  }

  text(text: string): string {
    return this.#redactor.text(text);
  }

  /** The same value with every text of it hidden, names included. */
  value<T>(value: T): T {
    return this.#walk(value) as T;
  }

  error(error: unknown): Error {
    if (error instanceof HarnessError) return new HarnessError(error.kind, this.text(error.message));
    if (!(error instanceof Error)) return new Error(this.text(String(error)));
    const safe = new Error(this.text(error.message));
    safe.stack = this.text(error.stack ?? '');
    return safe;
  }

  #walk(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.#walk(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.#walk(one)]));
  }
}

/** The values of a URL's query that are keys. */
export function keysIn(url: string): readonly string[] {
  const query = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return query.filter(([name]) => KEY_NAME.test(name)).map(([, value]) => value);
}

/** A header's value, and what follows its scheme: `Token …`, and the password of `Basic …`. */
function partsOf(value: string): readonly string[] {
  const [, scheme = '', rest] = /^([\w-]+)\s+(\S+)$/.exec(value.trim()) ?? [];
  if (rest === undefined) return [value];
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString() : '';
  return [value, rest, ...(pair.includes(':') ? [pair, pair.slice(pair.indexOf(':') + 1)] : [])];
}

/** As servers send it back: in JSON, in a URL, in base64. */
function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const percent = encodeURIComponent(value);
  const bytes = Buffer.from(value);
  return [
    ...[value, json, json.replaceAll('/', '\\/')],
    ...[percent, percent.replaceAll('%20', '+'), percent.replace(/%../g, (code) => code.toLowerCase())],
    ...[bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')],
  ];
}
