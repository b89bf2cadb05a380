/** Carries out what comes over a channel, and reports what came of it: the other end is a `RemoteLog`. */
import { errorMessage } from '../base/format.ts';
import { HeldBytes } from '../wire/heldBytes.ts';
import { LogCore, type CoreExchange } from './logCore.ts';
import type { Channel, Command, HeldKey, Order, Report } from './messages.ts';
import type { LogOptions } from './serverLog.ts';
import { StateChanges } from './stateChanges.ts';

type Unnumbered<R> = R extends unknown ? Omit<R, 'through'> : never;

export interface ServeOptions extends Omit<LogOptions, 'clock'> {
  /** Where events are held. */
  readonly take?: (key: HeldKey) => Uint8Array;
}

export function serveLog({ take, ...options }: ServeOptions, channel: Channel<Report, Order>): LogCore {
  let current: Pick<Order, 'n' | 'at'> = { n: 0, at: 0 };
  const core = new LogCore({ ...options, clock: { now: () => current.at } });
  const { log } = core;
  const changes = new StateChanges(log.state);
  const exchanges = new Map<number, CoreExchange>();
  const post = (report: Unnumbered<Report>): void => channel.post({ ...report, through: current.n });

  log.folded.on(({ packed, transitions }) => {
    post({ type: 'folded', change: changes.take(), packed, transitions });
  });
  core.stored.on(() => post({ type: 'stored', segments: core.segments }));

  const perform = (command: Command): unknown => {
    switch (command.name) {
      case 'append':
        return log.appendAll(command.drafts);
      case 'begin-load':
        return log.beginLoad(command.reason, command.pageLeftAt);
      case 'adopt':
        return log.adopt(command.entries);
      case 'attach-result':
        log.attachResult(command.callId, command.message);
        return post({ type: 'folded', change: changes.take(), packed: [], transitions: [] });
      case 'open-exchange':
        return void exchanges.set(command.exchange, core.openExchange(command.listens));
      case 'events':
        return exchanges.get(command.exchange)?.events(bytesOf(command, take), command.of);
      case 'record':
        return exchanges.get(command.exchange)?.record(command.frames, command.of);
      case 'close-exchange':
        return void exchanges.delete(command.exchange);
      case 'protect':
        return core.redactor.learn(command.learned);
      case 'write':
        return core.write(command.index);
      case 'free':
        return core.free(command.keepBytes);
      case 'fold':
        return undefined;
      case 'flush':
        return core.flushed();
      case 'forget-events':
        return core.forgetEvents();
      case 'recall-events':
        return core.recallEvents();
      case 'know-events':
        return core.knowEvents(command.events);
      case 'stop-writing':
        return core.stopWriting();
    }
  };

  const answer = (n: number, value: unknown): void => post({ type: 'answer', n, value });
  const fail = (n: number, error: unknown): void => post({ type: 'failed', n, why: errorMessage(error) });

  channel.listen(({ n, at, command, isAsked }) => {
    current = { n, at };
    if (!isAsked) return void perform(command);
    try {
      const value = perform(command);
      // At once, if it is there: what was carried out must not be carried out again because its answer is missing.
      if (value instanceof Promise)
        value.then((later) => answer(n, later)).catch((error: unknown) => fail(n, error));
      else answer(n, value);
    } catch (error) {
      fail(n, error);
    }
  });
  return core;
}

function bytesOf({ bytes }: Extract<Command, { name: 'events' }>, take: ServeOptions['take']): Uint8Array {
  if (bytes instanceof Uint8Array) return bytes;
  const here = bytes instanceof HeldBytes ? bytes.bytes : take?.(bytes);
  if (!here) throw new Error('These events were lost with the worker that had read them.');
  return here;
}
