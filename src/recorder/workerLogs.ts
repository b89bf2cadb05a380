/**
 * The logs of a page, recorded in one dedicated worker. Where none starts, or when it ends, they are recorded on the page,
 * from where the worker stopped: what it has not confirmed is carried out again.
 */
import { Emitter } from '../base/emitter.ts';
import { errorMessage } from '../base/format.ts';
import type { Channel, EndOfHost, FromHost, Order, Report, ToHost } from './messages.ts';
import type { recordHere } from './recordHere.ts';
import { RemoteLog } from './remoteLog.ts';
import type { LogOptions, OpenLog } from './serverLog.ts';

/** What is used of a `Worker`. */
export interface HostThread {
  postMessage(message: ToHost, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromHost>) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Without an `end`, no worker was wanted. */
export type RecordedIn = { readonly name: 'worker' } | { readonly name: 'page'; readonly end?: EndOfHost };

export interface WorkerLogsOptions {
  readonly start: () => HostThread;
  readonly loadRecorder: () => Promise<{ readonly recordHere: typeof recordHere }>;
  /** A bug in the worker is one of the page. */
  readonly report: (error: Error) => void;
}

interface Opened {
  readonly log: RemoteLog;
  readonly options: LogOptions;
  hear: (report: Report) => void;
}

export class WorkerLogs {
  readonly moved = new Emitter<undefined>();
  readonly #options: WorkerLogsOptions;
  readonly #logs: Opened[] = [];
  #thread: HostThread | undefined;
  #recordedIn: RecordedIn = { name: 'worker' };

  constructor(options: WorkerLogsOptions) {
    this.#options = options;
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
      thread.onmessageerror = () => this.#end({ why: 'error', text: 'Can’t read a message.' });
      // It catches its own errors, so this is its script, which is missing or may not be started.
      thread.onerror = ({ message }) => this.#end({ why: 'blocked', ...(message && { text: message }) });
    } catch (error) {
      this.#end({ why: 'blocked', text: errorMessage(error) });
    }
  }

  readonly open: OpenLog = (options) => {
    this.start();
    const opened: Opened = { log: new RemoteLog(options), options, hear: () => undefined };
    const log = this.#logs.push(opened) - 1;
    if (this.#recordedIn.name === 'page') void this.#moveHere(opened);
    else {
      const { server, restored, limits } = options;
      const state = restored && { state: restored.state };
      this.#post({ name: 'open', log, server, ...state, ...(limits && { limits }) });
      opened.log.attach(this.#channel(log, opened));
    }
    return opened.log;
  };

  /** In order with what the page records: what it sees while it is being left isn't stored. */
  setHere(isHere: boolean): void {
    this.#post({ name: isHere ? 'back' : 'left' });
  }

  /** The page goes on by itself, when the worker has stored what it has. */
  moveHere(): void {
    if (this.#thread) this.#post({ name: 'end' });
    else this.#end({ why: 'asked' });
  }

  #channel(log: number, opened: Opened): Channel<Order, Report> {
    return {
      post: (order) => this.#post({ name: 'order', log, order }),
      listen: (hear) => {
        opened.hear = hear;
      },
    };
  }

  #post(message: ToHost): void {
    if (message.name !== 'order' || message.order.command.name !== 'events') {
      this.#thread?.postMessage(message, []);
      return;
    }
    // A copy: these bytes are kept until they are recorded. And a view would take its whole buffer along.
    const { order } = message;
    const bytes = message.order.command.bytes.slice();
    this.#thread?.postMessage(
      { ...message, order: { ...order, command: { ...message.order.command, bytes } } },
      [bytes.buffer],
    );
  }

  #hear(message: FromHost): void {
    if (message.name === 'ended') this.#end(message.end);
    else this.#logs[message.log]?.hear(message.report);
  }

  #end(end: EndOfHost): void {
    if (this.#recordedIn.name === 'page') return;
    this.#recordedIn = { name: 'page', end };
    this.#thread?.terminate();
    this.#thread = undefined;
    for (const opened of this.#logs) void this.#moveHere(opened);
    if (end.why === 'error') this.#options.report(new Error(end.text));
    this.moved.emit(undefined);
  }

  async #moveHere({ log, options }: Opened): Promise<void> {
    log.detach();
    const { recordHere: record } = await this.#options.loadRecorder();
    const { channel, ready } = record(options, log.remains());
    log.attach(channel, ready);
  }
}
