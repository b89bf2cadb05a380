/** What is stored of one server: its log, its URL and settings, its views. It can be read in every tab. */
import { Emitter } from '../../base/emitter.ts';
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { LogReader, type RestoredLog } from '../../storage/logReader.ts';
import { ServerStore } from '../../storage/serverStore.ts';
import type { StoredShare } from '../../storage/storageLimit.ts';
import type { LogSource } from '../../timeline/logSource.ts';
import type { Credentials } from '../settings/credentials.ts';
import type { SavedServer, ServerSettings } from '../settings/savedServer.ts';
import { EarlierResults } from './earlierResults.ts';
import { loadKnownServer, type KnownServer } from './knownServer.ts';
import { ServerAccess } from './serverAccess.ts';
import type { ServerEnvironment } from './serverEnvironment.ts';
import { StoredLog } from './storedLog.ts';

export interface RestoredServer {
  readonly reader: LogReader;
  readonly records: ServerStore;
  readonly restored: RestoredLog;
  readonly known: KnownServer;
}

export async function restoreServer(env: ServerEnvironment, record: SavedServer): Promise<RestoredServer> {
  const reader = new LogReader(env.store, record.id);
  const records = new ServerStore(env.store, env.tabTexts, record.id);
  const [restored, known] = await Promise.all([reader.restore(), loadKnownServer(records, record)]);
  return { reader, records, restored, known };
}

export abstract class StoredServer {
  readonly id: string;
  name: string;
  readonly log: ServerLog;
  /** The entries, for whoever looks at them. */
  readonly source: LogSource;
  /** The log came from a file: it can be read, and there is no server behind it. */
  readonly isImported: boolean;
  /** The number of the first entry that this page didn't find. */
  readonly firstNewSeq: number;
  /** The role, the lists, the settings or the preferences have changed. (The log tells of itself.) */
  readonly changed = new Emitter<undefined>();
  protected readonly access: ServerAccess;
  protected readonly storedLog: StoredLog;
  protected readonly results: EarlierResults;

  constructor(
    env: ServerEnvironment,
    record: SavedServer,
    { reader, records, restored, known }: RestoredServer,
  ) {
    this.id = record.id;
    this.name = record.name;
    this.isImported = restored.isImported === true;
    this.firstNewSeq = restored.state.nextSeq;
    this.access = new ServerAccess(env, record, records, known);
    const { redactor } = this.access;
    this.log = env.openLog({ ...env, server: record.id, redactor, restored });
    const stored = new StoredLog(this.log, reader, restored, (entries) => this.heedFollowed(entries));
    this.storedLog = stored;
    this.source = stored.source;
    this.results = new EarlierResults({
      log: this.log,
      segments: () => stored.segments,
      readEntry: (seq) => reader.entry(stored.segments, seq),
    });
  }

  /** Another tab has written these. */
  protected abstract heedFollowed(entries: readonly Entry[]): Promise<void>;

  /** With its keys: they are in memory and sealed, and nowhere else. */
  get url(): string {
    return this.access.url;
  }

  get settings(): ServerSettings {
    return this.access.settings;
  }

  /** The URL and the settings take effect with the next connection. @param url it may have placeholders for its keys */
  async configure({
    name,
    url,
    ...settings
  }: Pick<SavedServer, 'name' | 'url'> & ServerSettings): Promise<void> {
    await this.access.configure(url, settings);
    this.name = name;
    this.changed.emit(undefined);
  }

  /** Those that may be sent to the server's URL. */
  async credentials(): Promise<Credentials> {
    return (await this.access.known()).credentials;
  }

  /** The interfaces that the server had, as they are stored. */
  interfaces(): Promise<unknown> {
    return this.access.records.loadInterfaces();
  }

  /** All entries, oldest first, when everything so far is stored. */
  entries(): AsyncGenerator<readonly Entry[]> {
    return this.storedLog.entries();
  }

  /** The newest entries that pass, oldest first, from storage and memory. */
  newestEntries(count: number, passes: (entry: Entry) => boolean): Promise<readonly Entry[]> {
    return this.storedLog.newest(count, passes);
  }

  /** All entries as they may be shared. */
  async *sharedEntries(): AsyncGenerator<readonly Entry[]> {
    for await (const entries of this.entries()) yield entries.map((entry) => this.shared(entry));
  }

  /** An entry as it may be shared: a log of an earlier version may hold what is hidden today. */
  shared(entry: Entry): Entry {
    return this.access.redactor.entry(entry);
  }

  /** What its log takes on disk. */
  get share(): StoredShare {
    const { state } = this.log;
    const { segments } = this.storedLog;
    return { id: this.id, segments, usedAt: state.usedAt, neededSince: state.neededSince() };
  }

  /** Does this tab write the log? */
  get isWritten(): boolean {
    return this.storedLog.isWritten;
  }

  async loadResult(callId: string): Promise<void> {
    await this.results.load(callId);
    this.changed.emit(undefined);
  }

  /** The documents of MCP Apps that were shown, newest last: a reload shows the same one. */
  loadViews(): Promise<unknown> {
    return this.access.records.loadViews();
  }

  saveViews(views: readonly object[]): Promise<void> {
    return this.access.records.saveViews(views);
  }
}
