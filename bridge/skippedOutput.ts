/** Lines on stdout that aren't JSON-RPC, counted by kind: a log that counts is one kind, whatever its numbers are. */

const MAX_KINDS = 50;
const MAX_CHARS = 200;

export class SkippedOutput {
  readonly #kinds = new Map<string, { readonly line: string; count: number }>();

  /** Returns the line as it may be shown if its kind is new. */
  add(text: string): string | undefined {
    const line = text.slice(0, MAX_CHARS);
    const key = line.replace(/\d+/g, '0');
    const known = this.#kinds.get(key);
    if (known) known.count += 1;
    if (known || this.#kinds.size >= MAX_KINDS) return undefined;
    this.#kinds.set(key, { line, count: 1 });
    return line;
  }

  get kinds(): readonly { readonly line: string; readonly count: number }[] {
    return [...this.#kinds.values()];
  }
}
