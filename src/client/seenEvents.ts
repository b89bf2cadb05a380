/** Which events were recorded already: real servers replay more than they were asked for. */

/** The standalone stream lives as long as its session; older ids than these are not remembered. */
const REMEMBERED_PER_STREAM = 100_000;

export class SeenEvents {
  readonly #byStream = new Map<string, Set<string>>();
  /** The stream on which an id came first-hand, and not in a replay that may hold other streams' events. */
  readonly #firstHand = new Map<string, string>();
  /** Servers that number each stream from 1 break the standard's uniqueness, and must lose nothing for it. */
  #idsAreGlobal = true;

  add(stream: string, eventId: string, isFirstHand: boolean): void {
    let ids = this.#byStream.get(stream);
    if (!ids) this.#byStream.set(stream, (ids = new Set()));
    ids.add(eventId);
    if (isFirstHand) this.#noteFirstHand(stream, eventId);
    if (ids.size > REMEMBERED_PER_STREAM) {
      for (const oldest of ids) {
        ids.delete(oldest);
        this.#firstHand.delete(oldest);
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
    this.#firstHand.clear();
    this.#idsAreGlobal = true;
  }

  /** Two streams that came by the same id first-hand: ids are unique only within a stream here. */
  #noteFirstHand(stream: string, eventId: string): void {
    const owner = this.#firstHand.get(eventId);
    if (owner === undefined) this.#firstHand.set(eventId, stream);
    else if (owner !== stream) this.#idsAreGlobal = false;
  }

  #hasElsewhere(stream: string, eventId: string): boolean {
    for (const [key, ids] of this.#byStream) if (key !== stream && ids.has(eventId)) return true;
    return false;
  }
}
