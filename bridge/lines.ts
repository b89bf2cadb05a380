/** Cuts the output of a process into lines, and refuses one that is too long to be held. */

export interface LineOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line is longer than that. Nothing is read after it. */
  readonly onTooLong: () => void;
}

const LINE_FEED = 10;
const EMPTY = Buffer.alloc(0);

export class Lines {
  readonly #options: LineOptions;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isOver = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (
      let at = chunk.indexOf(LINE_FEED);
      at !== -1 && !this.#isOver;
      at = chunk.indexOf(LINE_FEED, start)
    ) {
      this.#finish(chunk, start, at);
      start = at + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** What comes last may have no line feed. */
  end(): void {
    if (this.#bytes > 0) this.#finish(EMPTY, 0, 0);
  }

  /** The beginning of a line, whose end comes with a later chunk. */
  #hold(part: Buffer): void {
    if (this.#isOver || this.#isTooLong(part.length)) return;
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  #finish(chunk: Buffer, start: number, end: number): void {
    if (this.#isTooLong(end - start)) return;
    const isWhole = this.#bytes === 0;
    const line = isWhole
      ? chunk.toString('utf8', start, end)
      : Buffer.concat([...this.#parts, chunk.subarray(start, end)]).toString();
    if (!isWhole) this.#clear();
    this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #isTooLong(moreBytes: number): boolean {
    if (this.#bytes + moreBytes <= this.#options.maxBytes) return false;
    this.#isOver = true;
    this.#clear();
    this.#options.onTooLong();
    return true;
  }

  #clear(): void {
    this.#parts = [];
    this.#bytes = 0;
  }
}
