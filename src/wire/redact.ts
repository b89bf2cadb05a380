/** Secrets end here: what the recorder lets through is safe to store, to show and to export. */

export const HIDDEN = '‹redacted›';
/** Shorter values would hide half of every message, and are no secrets. */
const SHORTEST_SECRET = 6;
const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

export class Redactor {
  #secrets: readonly string[] = [];
  #secretHeaders: ReadonlySet<string> = SECRET_HEADERS;

  /** Headers that a person has typed in are secret too, by name and by value. */
  protect(secrets: { readonly bearer?: string; readonly headers?: Readonly<Record<string, string>> }): void {
    const values = [secrets.bearer, ...Object.values(secrets.headers ?? {})];
    this.protectValues(values.filter((value) => value !== undefined));
    const names = Object.keys(secrets.headers ?? {}).map((name) => name.toLowerCase());
    this.#secretHeaders = new Set([...SECRET_HEADERS, ...names]);
  }

  /** Secrets that come by later: tokens, codes. A server may send back what it was sent. */
  protectValues(values: readonly string[]): void {
    const fresh = values.filter((value) => value.length >= SHORTEST_SECRET && !this.#secrets.includes(value));
    this.#secrets = [...this.#secrets, ...fresh];
  }

  text(text: string): string {
    let safe = text;
    for (const secret of this.#secrets) {
      if (safe.includes(secret)) safe = safe.replaceAll(secret, HIDDEN);
    }
    return safe;
  }

  headers(headers: Headers): Record<string, string> {
    const safe: Record<string, string> = {};
    for (const [name, value] of headers) safe[name] = this.#header(name, value);
    return safe;
  }

  #header(name: string, value: string): string {
    if (name === 'authorization') return `${value.split(' ')[0] ?? ''} ${HIDDEN}`;
    if (this.#secretHeaders.has(name)) return HIDDEN;
    // Whoever knows a session id can join the session; its beginning is enough to tell two apart.
    if (name === 'mcp-session-id' && value.length > 8) return `${value.slice(0, 8)}…`;
    return this.text(value);
  }
}
