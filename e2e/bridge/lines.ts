/** Cuts the output of a process into lines, and refuses one that is too long to be held. */

export interface LineOptions {
  readonly maxBytes: number;
  readonly onLine: (line: string) => void;
  /** A line is longer than that. Nothing is read after it. */
  readonly onTooLong: () => void;
}

const LINE_FEED = 10;

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
      this.#add(chunk.subarray(start, at));
      this.#finish();
      start = at + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** What comes last may have no line feed. */
  end(): void {
    if (this.#bytes > 0) this.#finish();
  }

  #add(part: Buffer): void {
    if (this.#isOver) return;
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#options.maxBytes) return;
    this.#isOver = true;
    this.#parts = [];
    this.#bytes = 0;
    this.#options.onTooLong();
  }

  #finish(): void {
    if (this.#isOver) return;
    const [only] = this.#parts;
    const bytes = this.#parts.length === 1 && only ? only : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    const line = bytes.toString();
    this.#options.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  }
}
