/** The newest lines of a process's stderr. */
import type { BridgeStderrLine } from '../src/base/bridgeContract.ts';

const MAX_LINES = 1000;
const MAX_LINE_CHARS = 10_000;
/** Lines in an error, and in the bridge's own output. */
const TAIL_LINES = 10;

export class StderrLog {
  #lines: BridgeStderrLine[] = [];
  #count = 0;

  add(line: string): void {
    this.#count += 1;
    this.#lines.push({ number: this.#count, at: Date.now(), line: line.slice(0, MAX_LINE_CHARS) });
    if (this.#lines.length > MAX_LINES * 2) this.#lines = this.#lines.slice(-MAX_LINES);
  }

  get lines(): readonly BridgeStderrLine[] {
    return this.#lines.slice(-MAX_LINES);
  }

  get tail(): readonly string[] {
    return this.#lines.slice(-TAIL_LINES).map(({ line }) => line);
  }
}
