/** A browser without a window: pages of the app's own client in Node, which share a disk and its locks, and die at once. */
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { ServerHandle } from '../../src/client/servers/serverHandle.ts';
import type { ServerEnvironment } from '../../src/client/servers/serverEnvironment.ts';
import type { LocksLike } from '../../src/base/exclusive.ts';
import { ServerLogin } from '../../src/client/servers/serverLogin.ts';
import { Workspace } from '../../src/client/workspace/workspace.ts';
import { MemoryStore } from '../../src/storage/memoryStore.ts';
import type { Records, Store } from '../../src/storage/store.ts';
import { ConnectionBudget } from '../../src/wire/connectionBudget.ts';
import { corsFetch } from './corsFetch.ts';
import { openLocalLog } from '../../src/recorder/localLog.ts';

const PAGE_ORIGIN = 'http://localhost';

export class Browser {
  readonly #disk = new MemoryStore();
  readonly #locks = new Locks();
  readonly #record: { readonly id: string; readonly name: string; readonly url: string };
  readonly #fetch = corsFetch(PAGE_ORIGIN);
  readonly #onRequest: (init: RequestInit) => void;

  /** @param id of the one server of this browser; names a channel, so it must be unique in this process */
  constructor(id: string, url: string, onRequest: (init: RequestInit) => void = () => undefined) {
    this.#record = { id, name: 'recorded', url };
    this.#onRequest = onRequest;
  }

  /** @param pageLeftAt when the page before it was left, if this is a reload */
  async open(pageLeftAt?: number): Promise<BrowserPage> {
    const { env, die } = this.#page(pageLeftAt);
    return { tab: await ServerHandle.open(env, this.#record), die };
  }

  /** A page with the list of servers, which is empty at first. */
  async openWorkspace(): Promise<WorkspacePage> {
    const { env, die } = this.#page();
    let selected: string | undefined;
    const selection = {
      read: () => selected,
      write: (id: string | undefined) => void (selected = id),
      holdsBack: () => false,
    };
    return { workspace: await Workspace.open(env, selection), die };
  }

  storedKeys(): Promise<readonly string[]> {
    return this.#disk.keys();
  }

  async reload(page: BrowserPage): Promise<BrowserPage> {
    const leftAt = Date.now();
    page.die();
    return this.open(leftAt);
  }

  #page(pageLeftAt?: number): { readonly env: ServerEnvironment; readonly die: () => void } {
    const life = new AbortController();
    const channels: BroadcastChannel[] = [];
    const clock = mortalClock(life.signal);
    const texts = new Map<string, string>();
    const env: ServerEnvironment = {
      store: new MortalStore(this.#disk, life.signal),
      clock,
      openLog: openLocalLog,
      fetch: (url, init = {}) => {
        this.#onRequest(init);
        return this.#fetch(url, { ...init, signal: AbortSignal.any([life.signal, ...signalsOf(init)]) });
      },
      locks: this.#locks.of(life.signal),
      openChannel: (name) => {
        const channel = new MortalChannel(name, life.signal);
        channels.push(channel);
        return channel;
      },
      budgetFor: () => new ConnectionBudget(clock),
      tabTexts: {
        read: (key) => texts.get(key),
        write: (key, text) => (text === undefined ? void texts.delete(key) : void texts.set(key, text)),
      },
      clientInfo: { name: 'test', version: '0' },
      makeLogin: (login, options) => new ServerLogin(login, options),
      pageOrigin: PAGE_ORIGIN,
      isOnline: () => true,
      pageLeftAt,
      redirectUrl: `${PAGE_ORIGIN}/`,
      findWorker: () => Promise.resolve(undefined),
      prepare: () => Promise.resolve(),
    };
    const die = () => {
      life.abort();
      for (const channel of channels) channel.close();
    };
    return { env, die };
  }
}

export interface WorkspacePage {
  readonly workspace: Workspace;
  readonly die: () => void;
}

export interface BrowserPage {
  readonly tab: ServerHandle;
  /** As a tab does that is closed: nothing more is read, written, sent or waited for. */
  readonly die: () => void;
}

function signalsOf(init: RequestInit | undefined): readonly AbortSignal[] {
  return init?.signal ? [init.signal] : [];
}

function mortalClock(life: AbortSignal): Clock {
  return {
    ...systemClock,
    after: (delayMs, fn) =>
      systemClock.after(delayMs, () => {
        if (!life.aborted) fn();
      }),
  };
}

/** A page that died says nothing more: a write that was under way may still end. */
class MortalChannel extends BroadcastChannel {
  readonly #life: AbortSignal;

  constructor(name: string, life: AbortSignal) {
    super(name);
    this.#life = life;
  }

  override postMessage(message: unknown): void {
    if (!this.#life.aborted) super.postMessage(message);
  }
}

/** What a page sees of the disk until it dies. */
class MortalStore implements Store {
  readonly #disk: Store;
  readonly #life: AbortSignal;

  constructor(disk: Store, life: AbortSignal) {
    this.#disk = disk;
    this.#life = life;
  }

  get = (key: string) => this.#disk.get(key);
  getMany = (keys: readonly string[]) => this.#disk.getMany(keys);
  keys = () => this.#disk.keys();

  write(set: Records, remove: readonly string[] = []): Promise<void> {
    return this.#life.aborted ? new Promise(() => undefined) : this.#disk.write(set, remove);
  }
}

/** The Web Locks of one browser: a lock has one holder, and is given up when its page dies. */
class Locks {
  readonly #tails = new Map<string, Promise<void>>();

  of(life: AbortSignal): LocksLike {
    const died = new Promise<void>((resolve) => {
      life.addEventListener('abort', () => {
        resolve();
      });
    });
    return {
      request: (name, { signal }, callback) => {
        const held = (this.#tails.get(name) ?? Promise.resolve()).then(async () => {
          if (signal.aborted || life.aborted) return;
          await Promise.race([callback(), died]);
        });
        this.#tails.set(
          name,
          held.catch(() => undefined),
        );
        return held;
      },
    };
  }
}
