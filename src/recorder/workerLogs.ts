/**
 * The logs of a page, recorded in one dedicated worker. Where none starts, or when it ends, they are recorded on the page,
 * from where the worker stopped: what it has not confirmed is carried out again.
 */
import { Emitter } from '../base/emitter.ts';
import { errorMessage } from '../base/format.ts';
import type { EndOfHost, RecordedIn } from '../base/recordedIn.ts';
import { HeldBytes } from '../wire/heldBytes.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Channel, FromHost, Order, Report, ToHost } from './messages.ts';
import type { recordHere } from './recordHere.ts';
import { RemoteFetch } from './remoteFetch.ts';
import { RemoteLog, type HandedOver } from './remoteLog.ts';
import type { LogOptions, ServerLog } from './serverLog.ts';

/** What is used of a `Worker`. */
export interface HostThread {
  postMessage(message: ToHost, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromHost>) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

export interface WorkerLogsOptions {
  readonly start: () => HostThread;
  readonly loadRecorder: () => Promise<{ readonly recordHere: typeof recordHere }>;
  /** A bug in the worker is one of the page. */
  readonly report: (error: Error) => void;
  /** Does the page have to make this request itself? */
  readonly keepsRequest?: (url: string | URL) => boolean;
}

interface Opened {
  readonly log: RemoteLog;
  readonly options: LogOptions;
  hear: (report: Report) => void;
}

export class WorkerLogs {
  readonly moved = new Emitter<undefined>();
  /** Resolves when the script of the worker runs, or is known not to. */
  readonly ready: Promise<void>;
  readonly #options: WorkerLogsOptions;
  readonly #logs: Opened[] = [];
  readonly #fetch: RemoteFetch;
  #thread: HostThread | undefined;
  #recordedIn: RecordedIn = { name: 'worker' };
  #onReady: () => void = () => undefined;

  constructor(options: WorkerLogsOptions) {
    this.#options = options;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
    this.#fetch = new RemoteFetch(
      (message) => this.#post(message),
      () => this.#letGo(),
    );
  }

  get recordedIn(): RecordedIn {
    return this.#recordedIn;
  }

  /** Before a log is opened: a script takes its time to load. */
  start(): void {
    if (this.#thread || this.#recordedIn.name === 'page') return;
    try {
      const thread = (this.#thread = this.#options.start());
      thread.onmessage = ({ data }) => this.#hear(data);
      thread.onmessageerror = () => this.#lose({ why: 'error', text: 'Can’t read a message.' });
      // It catches its own errors, so this is its script, which is missing or may not be started.
      thread.onerror = ({ message }) => this.#lose({ why: 'blocked', ...(message && { text: message }) });
    } catch (error) {
      this.#lose({ why: 'blocked', text: errorMessage(error) });
    }
  }

  open(options: LogOptions, handed?: HandedOver): ServerLog {
    this.start();
    const opened: Opened = { log: new RemoteLog(options, handed), options, hear: () => undefined };
    const log = this.#logs.push(opened) - 1;
    if (this.#recordedIn.name === 'page') void this.#moveHere(opened);
    else {
      const { server, restored, limits } = options;
      const state = handed?.mirror.state.wholeSnapshot() ?? restored?.state;
      this.#post({ name: 'open', log, server, ...(state && { state }), ...(limits && { limits }) });
      opened.log.attach(this.#channel(log, opened));
    }
    return Object.assign(opened.log, { reads: (fetch: Fetch) => this.#reads(fetch) });
  }

  /** In order with what the page records: what it sees while it is being left isn't stored. */
  setHere(isHere: boolean): void {
    this.#post({ name: isHere ? 'back' : 'left' });
  }

  /** The page goes on by itself, when the worker has stored what it has. */
  moveHere(): void {
    if (this.#thread) this.#post({ name: 'end' });
    else this.#lose({ why: 'asked' });
  }

  #reads(fetch: Fetch): Fetch {
    return (url, init = {}) =>
      this.#recordedIn.name === 'page' || (this.#options.keepsRequest?.(url) ?? false)
        ? fetch(url, init)
        : this.#fetch.fetch(url, init);
  }

  #channel(log: number, opened: Opened): Channel<Order, Report> {
    return {
      post: (order) => this.#postOrder(log, order),
      listen: (hear) => {
        opened.hear = hear;
      },
    };
  }

  #postOrder(log: number, order: Order): void {
    const { command } = order;
    if (command.name !== 'events') return this.#post({ name: 'order', log, order });
    const { bytes: events } = command;
    if (events instanceof HeldBytes) {
      const bytes = { key: events.key };
      return this.#post({ name: 'order', log, order: { ...order, command: { ...command, bytes } } });
    }
    if (!(events instanceof Uint8Array)) return;
    // A copy: these bytes are kept until they are recorded. And a view would take its whole buffer along.
    const bytes = events.slice();
    this.#post({ name: 'order', log, order: { ...order, command: { ...command, bytes } } }, [bytes.buffer]);
  }

  #post(message: ToHost, transfer: Transferable[] = []): void {
    this.#thread?.postMessage(message, transfer);
  }

  #hear(message: FromHost): void {
    switch (message.name) {
      case 'ready':
        return this.#onReady();
      case 'ended':
        return this.#end(message.end);
      case 'report':
        return this.#logs[message.log]?.hear(message.report);
      default:
        return this.#fetch.hear(message);
    }
  }

  /** Without a word from it: what it was reading is lost. */
  #lose(end: EndOfHost): void {
    this.#thread?.terminate();
    this.#thread = undefined;
    this.#fetch.lose();
    this.#end(end);
  }

  #end(end: EndOfHost): void {
    if (this.#recordedIn.name === 'page') return;
    this.#recordedIn = { name: 'page', end };
    this.#onReady();
    this.#letGo();
    for (const opened of this.#logs) void this.#moveHere(opened);
    if (end.why === 'error') this.#options.report(new Error(end.text));
    this.moved.emit(undefined);
  }

  /** It goes on reading what it has begun to read. */
  #letGo(): void {
    if (this.#recordedIn.name === 'worker' || !this.#fetch.isIdle) return;
    this.#thread?.terminate();
    this.#thread = undefined;
  }

  async #moveHere({ log, options }: Opened): Promise<void> {
    log.detach();
    const { recordHere: record } = await this.#options.loadRecorder();
    const { channel, ready } = record(options, log.remains());
    log.attach(channel, ready);
  }
}
