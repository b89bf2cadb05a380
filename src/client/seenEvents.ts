/** Which events were recorded already: real servers replay more than they were asked for. */

/** The standalone stream lives as long as its session; older ids than these are not remembered. */
const REMEMBERED_PER_STREAM = 100_000;
/** Enough of a message to tell two apart: its method and its token stand at the beginning. */
const PRINT_CHARS = 240;

export class SeenEvents {
  readonly #byStream = new Map<string, Set<string>>();
  readonly #prints = new Map<string, number>();
  /** Servers that number each stream from 1 break the standard's uniqueness, and must lose nothing for it. */
  #idsAreGlobal = true;

  add(stream: string, eventId: string, data: string): void {
    let ids = this.#byStream.get(stream);
    if (!ids) this.#byStream.set(stream, (ids = new Set()));
    ids.add(eventId);
    this.#notePrint(eventId, data);
    if (ids.size > REMEMBERED_PER_STREAM) {
      for (const oldest of ids) {
        ids.delete(oldest);
        this.#prints.delete(oldest);
        break;
      }
    }
  }

  has(stream: string, eventId: string): boolean {
    return this.#byStream.get(stream)?.has(eventId) ?? false;
  }

  /** On a resumed stream: was this event delivered before, here or (a replay of foreign streams) elsewhere? */
  isReplayOfKnown(stream: string, eventId: string): boolean {
    return this.has(stream, eventId) || (this.#idsAreGlobal && this.#hasElsewhere(stream, eventId));
  }

  clear(): void {
    this.#byStream.clear();
    this.#prints.clear();
    this.#idsAreGlobal = true;
  }

  /** One id with two contents: ids are unique only within a stream here. A replayed event has its own content again. */
  #notePrint(eventId: string, data: string): void {
    // An event without data only names a position.
    if (data === '') return;
    const print = printOf(data);
    const known = this.#prints.get(eventId);
    if (known === undefined) this.#prints.set(eventId, print);
    else if (known !== print) this.#idsAreGlobal = false;
  }

  #hasElsewhere(stream: string, eventId: string): boolean {
    for (const [key, ids] of this.#byStream) if (key !== stream && ids.has(eventId)) return true;
    return false;
  }
}

/** FNV-1a over the beginning of a text, and its length. */
function printOf(text: string): number {
  let hash = 0x811c9dc5 ^ text.length;
  const end = Math.min(text.length, PRINT_CHARS);
  for (let i = 0; i < end; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
