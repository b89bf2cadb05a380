/**
 * Cuts the bytes of a stream of server-sent events after blank lines, so that what is handed on holds whole events: it can
 * be decoded and parsed anywhere, and again, without what came before it.
 */
const LF = 10;
const CR = 13;

export class EventCutter {
  /** The beginning of an event whose end hasn't come. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #lastByte = 0;

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** @returns what is whole now, in parts; nothing, if no event ends here */
  add(chunk: Uint8Array): readonly Uint8Array[] {
    const end = endOfEvents(chunk, this.#lastByte);
    this.#lastByte = chunk.at(-1) ?? this.#lastByte;
    const whole = end === 0 ? [] : [...this.rest(), chunk.subarray(0, end)];
    if (end < chunk.length) {
      this.#held.push(chunk.subarray(end));
      this.#heldBytes += chunk.length - end;
    }
    return whole;
  }

  /** What no blank line has ended: at the end of a stream, its last lines. */
  rest(): readonly Uint8Array[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }
}

/** Where the last blank line ends: two line ends, each of CR LF, LF or CR. @param before the byte before the chunk */
function endOfEvents(chunk: Uint8Array, before: number): number {
  for (let at = chunk.length - 1; at >= 0; at -= 1) {
    const byte = chunk[at];
    if (byte !== LF && byte !== CR) continue;
    const last = at > 0 ? chunk[at - 1] : before;
    if (last === LF || (last === CR && byte === CR))
      return byte === CR && chunk[at + 1] === LF ? at + 2 : at + 1;
  }
  return 0;
}
