/** A server that isn't there: its log is played, entry by entry, into the same fold that a live server has. */
import { systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { NO_PREFERENCES, type Credentials } from '../../client/inspector/index.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { Log } from '../../log/log.ts';
import { shownState } from '../../log/state/shownState.ts';
import { walk, type LogSource } from '../../timeline/logSource.ts';
import type { ShownServer } from '../shownServer.ts';

/** What the log doesn't hold, and is known of the server otherwise. */
export type PlayedOf = Pick<ShownServer, 'id' | 'name' | 'url' | 'lists' | 'session' | 'settings'>;

/** So many are read at once by whoever looks through the log. */
const CHUNK = 1000;

const NO_LOGIN: ShownServer['login'] = {
  grant: () => Promise.resolve(undefined),
  plan: () => Promise.resolve(undefined),
  begin: () => Promise.reject(new Error('A log that is played can’t log in.')),
  refresh: () => Promise.resolve(false),
  expire: () => Promise.resolve(),
  logOut: () => Promise.resolve(),
  decline: () => Promise.resolve(),
};

export class PlayedServer implements ShownServer {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly lists: ShownServer['lists'];
  readonly session: ShownServer['session'];
  readonly settings: ShownServer['settings'];
  readonly log: Log;
  readonly source: LogSource;
  readonly changed = new Emitter<undefined>();
  readonly login = NO_LOGIN;
  readonly role = 'leads';
  readonly isImported = true;
  readonly preferences = NO_PREFERENCES;
  readonly now: () => number;
  readonly #entries: readonly Entry[];
  #played = 0;

  constructor(of: PlayedOf, entries: readonly Entry[], now: () => number) {
    const { id, name, url, lists, session, settings } = of;
    this.id = id;
    this.name = name;
    this.url = url;
    this.lists = lists;
    this.session = session;
    this.settings = settings;
    this.now = now;
    this.#entries = entries;
    this.log = new Log(id, systemClock);
    this.source = this.#makeSource();
  }

  get state(): ConnectionState {
    return shownState(this.log.state);
  }

  /** How many entries were played. */
  get played(): number {
    return this.#played;
  }

  /** Plays on until so many are played. What was played can't be taken back. */
  playTo(count: number): void {
    if (count <= this.#played) return;
    const next = this.#entries.slice(this.#played, count);
    this.#played = count;
    this.log.adopt(next);
  }

  execute(): Promise<never> {
    return Promise.reject(new Error('This log is being played, so there is no server to call.'));
  }

  interfaces(): Promise<unknown> {
    return Promise.resolve(undefined);
  }

  credentials(): Promise<Credentials> {
    return Promise.resolve({});
  }

  hasSecrets(): Promise<boolean> {
    return Promise.resolve(false);
  }

  entries(): AsyncGenerator<readonly Entry[]> {
    return walk(this.source);
  }

  newestEntries(count: number, passes: (entry: Entry) => boolean): Promise<readonly Entry[]> {
    return Promise.resolve(this.#entries.slice(0, this.#played).filter(passes).slice(-count));
  }

  /** It was redacted when it was exported. */
  sharedEntries(): AsyncGenerator<readonly Entry[]> {
    return this.entries();
  }

  shared(entry: Entry): Entry {
    return entry;
  }

  loadResult(): Promise<void> {
    return Promise.resolve();
  }

  loadViews(): Promise<unknown> {
    return Promise.resolve(undefined);
  }

  saveViews(): Promise<void> {
    return Promise.resolve();
  }

  #makeSource(): LogSource {
    const { log } = this;
    const entries = this.#entries;
    const chunks = () => Math.floor(this.#played / CHUNK);
    const chunkAt = (n: number) => entries.slice(n * CHUNK, (n + 1) * CHUNK);
    return {
      appended: log.appended,
      get tail() {
        return log.tail;
      },
      get stored() {
        return Array.from({ length: chunks() }, (_, n) => ({
          first: entries[n * CHUNK]?.seq ?? 0,
          last: entries[(n + 1) * CHUNK - 1]?.seq ?? 0,
        }));
      },
      read: (ranges) =>
        Promise.resolve(
          Array.from({ length: chunks() }, (_, n) => chunkAt(n)).filter((chunk) =>
            ranges.some(({ first }) => first === chunk[0]?.seq),
          ),
        ),
      flushed: () => Promise.resolve(),
    };
  }
}
