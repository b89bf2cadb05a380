/** What was looked at in this tab: the marks of the sections of one server, kept across reloads. */
import { markOf, newSince, TOPICS, type Contents, type Topic } from './newSince.ts';
import type { ViewPrefs } from './viewPrefs.svelte.ts';

export class Seen {
  readonly #place: Pick<ViewPrefs, 'readUntracked' | 'writeUntracked'>;
  readonly #contents: () => Contents;

  constructor(place: Pick<ViewPrefs, 'readUntracked' | 'writeUntracked'>, contents: () => Contents) {
    this.#place = place;
    this.#contents = contents;
  }

  /** How much is new since the topic was last open. Of what was never marked nothing is. */
  newIn(topic: Topic): number {
    const mark = this.#place.readUntracked(keyOf(topic));
    const contents = this.#contents();
    return mark === undefined ? 0 : newSince(topic, mark, contents);
  }

  /** The open topics are looked at; the others get a mark if they have none yet. */
  look(open: readonly Topic[]): void {
    const contents = this.#contents();
    for (const topic of TOPICS) {
      const before = this.#place.readUntracked(keyOf(topic));
      if (before !== undefined && !open.includes(topic)) continue;
      const mark = markOf(topic, contents);
      if (mark !== undefined && mark !== before) this.#place.writeUntracked(keyOf(topic), mark);
    }
  }
}

const keyOf = (topic: Topic): string => `seen.${topic}`;
