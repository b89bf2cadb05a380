/** What a server logs, as somebody looks at it: the newest messages, read when the section is opened and followed from there. */
import { errorMessage } from '../base/format.ts';
import type { Entry } from '../log/entry/entry.ts';
import {
  addToRing,
  isShown,
  readLogMessage,
  RING_SIZE,
  type LogFilter,
  type LogMessage,
} from './logMessages.ts';
import type { ServerView } from './serverView.svelte.ts';

const PLACE = 'logs.cleared';

export class LogsView {
  readonly #server: ServerView;
  readonly #stopListening: () => void;
  #ring = $state.raw<readonly LogMessage[]>([]);
  #loading = $state<'reading' | 'done' | { readonly why: string }>('reading');

  #waiting: Entry[] = [];

  constructor(server: ServerView) {
    this.#server = server;
    this.#stopListening = server.log.onAppended((batch) => {
      if (!batch.samples.some(isLog)) return;
      const added = batch.entries.filter(isLog);
      // Only the newest can stay: a burst need not be kept as a whole.
      this.#waiting = [...this.#waiting, ...added].slice(-RING_SIZE);
      server.schedule(this.#flush);
    });
    void this.#load();
  }

  get loading(): 'reading' | 'done' | { readonly why: string } {
    return this.#loading;
  }

  get loggers(): readonly string[] {
    return [...new Set(this.#ring.map(({ logger }) => logger))].sort();
  }

  get total(): number {
    return this.#ring.length;
  }

  shown(filter: LogFilter): readonly LogMessage[] {
    return this.#ring.filter((message) => isShown(message, filter));
  }

  /** Out of sight; the timeline keeps them. */
  clear(): void {
    this.#server.place.writeUntracked(PLACE, String(this.#ring.at(-1)?.seq ?? 0));
    this.#ring = [];
  }

  close(): void {
    this.#stopListening();
  }

  async #load(): Promise<void> {
    try {
      const clearedTo = Number(this.#server.place.readUntracked(PLACE) ?? 0);
      const stored = await this.#server.log.newest(
        RING_SIZE,
        (entry) => isLog(entry) && entry.seq > clearedTo,
      );
      const last = stored.at(-1)?.seq ?? 0;
      const since = this.#ring.filter(({ seq }) => seq > last);
      this.#ring = addToRing(readAll(stored), since);
      this.#loading = 'done';
    } catch (error) {
      this.#loading = { why: errorMessage(error) };
    }
  }

  readonly #flush = (): void => {
    // What came while the stored ones were read is among them.
    const last = this.#ring.at(-1)?.seq ?? 0;
    const added = this.#waiting.filter(({ seq }) => seq > last);
    this.#waiting = [];
    this.#ring = addToRing(this.#ring, readAll(added));
  };
}

function readAll(entries: readonly Entry[]): readonly LogMessage[] {
  return entries.flatMap((entry) => readLogMessage(entry) ?? []);
}

function isLog(entry: Entry): boolean {
  return entry.kind === 'received' && entry.method === 'notifications/message';
}
