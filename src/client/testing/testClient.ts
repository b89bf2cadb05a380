/** For tests: the client of a real server, in a page that can be loaded again over the same log. */
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import { NO_LISTS, type Catalog } from '../catalog/catalog.ts';
import type { Session } from '../link/session.ts';
import { BrowserMcpClient } from '../session/browserMcpClient.ts';
import type { BrowserMcpClientOptions } from '../session/clientOptions.ts';
import { NO_PREFERENCES, type ServerPreferences } from '../settings/preferences.ts';
import { linkOptions } from './testLink.ts';

export class TestClient {
  static #open: BrowserMcpClient[] = [];

  /** After each test. */
  static async closeAll(): Promise<void> {
    const open = TestClient.#open;
    TestClient.#open = [];
    for (const client of open) await client.close();
  }

  readonly client: BrowserMcpClient;
  readonly options: BrowserMcpClientOptions;
  /** What was stored of it, newest last. `undefined`: the session was removed. */
  readonly sessions: (Session | undefined)[] = [];
  readonly lists: Catalog[] = [];
  readonly preferences: ServerPreferences[] = [];

  constructor(url: string, given: Partial<BrowserMcpClientOptions> = {}) {
    this.options = {
      ...linkOptions(url),
      session: undefined,
      lists: NO_LISTS,
      preferences: NO_PREFERENCES,
      pageOrigin: 'http://localhost',
      isOnline: () => true,
      saveSession: (session) => Promise.resolve(void this.sessions.push(session)),
      saveLists: (lists) => Promise.resolve(void this.lists.push(lists)),
      keepInterface: () => Promise.resolve(),
      savePreferences: (preferences) => Promise.resolve(void this.preferences.push(preferences)),
      ...given,
    };
    this.client = new BrowserMcpClient(this.options);
    TestClient.#open.push(this.client);
  }

  get log(): ServerLog {
    return this.options.log;
  }

  /** Begins a session. @returns what came of it */
  async connect(): Promise<ConnectionState> {
    await this.client.session.connect();
    await this.log.folded();
    return this.log.state.connection;
  }

  /** Resumes the session of the page before. @returns what came of it */
  async resume(): Promise<ConnectionState> {
    await this.client.session.resume();
    await this.log.folded();
    return this.log.state.connection;
  }

  /** The page is closed, and another one opens over what is stored. */
  async reload(given: Partial<BrowserMcpClientOptions> = {}): Promise<TestClient> {
    const { stored: session } = this.client.session;
    await this.client.close();
    this.log.beginLoad('opened');
    await this.log.folded();
    return new TestClient(this.options.url, { ...this.options, session, ...given });
  }

  call(callId: string) {
    return this.log.state.calls.get(callId);
  }

  /** The names of the states that the log has seen, oldest first. */
  get states(): readonly string[] {
    return this.log.tail.flatMap((entry) => (entry.kind === 'state' ? [entry.state.name] : []));
  }

  /** Resolves when this holds, at the latest after the next change of the log. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.#nextChange();
  }

  untilEnded(callId: string): Promise<void> {
    return this.until(() => this.call(callId)?.settledAt !== undefined);
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.log.appended.on(() => {
        stop();
        resolve();
      });
    });
  }
}
