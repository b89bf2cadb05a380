/** Goes on with a log in this thread, where its recorder in a worker has ended or never began. Loaded when that happens. */
import type { Channel, Order, Report } from './messages.ts';
import type { Remains } from './remoteLog.ts';
import { serveLog } from './serveLog.ts';
import type { LogOptions } from './serverLog.ts';

export interface RecorderHere {
  readonly channel: Channel<Order, Report>;
  /** Resolves when it knows which events are recorded: orders come after that. */
  readonly ready: Promise<void>;
}

export function recordHere(options: LogOptions, remains: Remains): RecorderHere {
  let carryOut: (order: Order) => void = () => undefined;
  let hear: (report: Report) => void = () => undefined;
  const { restored, written } = remains;
  const core = serveLog(
    { ...options, restored },
    {
      post: (report) => hear(report),
      listen: (listener) => {
        carryOut = listener;
      },
    },
  );
  const start = async (): Promise<void> => {
    if (!written) return;
    core.write(written.index, written.unstored);
    await core.recallEvents(written.eventsSince);
  };
  return {
    channel: {
      // In turn: listeners that hear of an entry may give the next order.
      post: (order) => queueMicrotask(() => carryOut(order)),
      listen: (listener) => {
        hear = listener;
      },
    },
    ready: Promise.resolve().then(start),
  };
}
