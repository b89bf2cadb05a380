/** The logs of a page as its worker has them: opened and ordered by messages, each with a recorder of its own. */
import { Gate } from '../base/gate.ts';
import { errorMessage } from '../base/format.ts';
import type { EndOfHost } from '../base/recordedIn.ts';
import { isBug } from '../storage/fallbackStore.ts';
import type { Store } from '../storage/store.ts';
import { Redactor } from '../wire/redact.ts';
import { HostFetch } from './hostFetch.ts';
import type { LogCore } from './logCore.ts';
import type { FromHost, Order, ToFetch, ToHost } from './messages.ts';
import { serveLog } from './serveLog.ts';

interface Hosted {
  readonly core: LogCore;
  readonly hear: (order: Order) => void;
}

export interface LogHostOptions {
  readonly store: Store;
  readonly post: (message: FromHost, transfer?: Transferable[]) => void;
  readonly fetch?: typeof fetch;
  /** Nothing is done after this. */
  readonly close: () => void;
}

export class LogHost {
  readonly #options: LogHostOptions;
  readonly #store: Store;
  readonly #logs = new Map<number, Hosted>();
  readonly #here = new Gate();
  readonly #fetch: HostFetch;
  #isEnding = false;

  constructor(options: LogHostOptions) {
    this.#options = options;
    this.#store = this.#watched(options.store);
    this.#fetch = new HostFetch((message, transfer) => options.post(message, transfer), options.fetch);
  }

  hear(message: ToHost): void {
    switch (message.name) {
      case 'fetch':
      case 'cancel':
      case 'pause':
      case 'resume':
        return this.#fetch.hear(message);
      default:
        if (!this.#isEnding) this.#carryOut(message);
    }
  }

  #carryOut(message: Exclude<ToHost, ToFetch>): void {
    switch (message.name) {
      case 'open':
        return this.#open(message);
      case 'order':
        return this.#logs.get(message.log)?.hear(message.order);
      case 'left':
        return this.#here.close();
      case 'back':
        return this.#here.open();
      case 'end':
        return void this.end({ why: 'asked' });
    }
  }

  /**
   * Carries out nothing more; the page goes on from what was reported, when the last write has ended one way or the other.
   * What is still read here goes to the page.
   */
  async end(end: EndOfHost): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const { post, close } = this.#options;
    this.#fetch.handOver();
    await Promise.allSettled([...this.#logs.values()].map(({ core }) => core.stopWriting()));
    post({ name: 'ended', end });
    await this.#fetch.idle();
    close();
  }

  #open({ log, server, state, limits }: Extract<ToHost, { name: 'open' }>): void {
    let hear: (order: Order) => void = () => undefined;
    const channel = {
      post: (report: Extract<FromHost, { name: 'report' }>['report']) =>
        this.#options.post({ name: 'report', log, report }),
      listen: (listener: (order: Order) => void) => {
        hear = listener;
      },
    };
    const core = serveLog(
      {
        server,
        store: this.#store,
        take: (key) => this.#fetch.take(key),
        redactor: new Redactor(),
        ...(state && { restored: { state, tail: [] } }),
        whenHere: () => this.#here.passed,
        ...(limits && { limits }),
      },
      channel,
    );
    this.#logs.set(log, { core, hear });
  }

  /** A disk that refuses ends the host: what is to be done without one is the page's to decide. */
  #watched(store: Store): Store {
    const watch = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (!isBug(error)) void this.end({ why: 'storage', text: errorMessage(error) });
        throw error;
      }
    };
    return {
      get: (key) => watch(store.get(key)),
      getMany: (keys) => watch(store.getMany(keys)),
      write: (set, remove) => watch(store.write(set, remove)),
      keys: () => watch(store.keys()),
    };
  }
}
