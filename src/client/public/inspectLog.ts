/** The entries of a client's log, stored ones first, then new ones as they come. */
import { toLogEntry } from '../../log/entry/publicEntry.ts';
import type { WaitOptions } from './clientTypes.ts';
import type { LogEntry } from './inspectTypes.ts';
import type { LiveClient } from './liveClient.ts';

export async function* entriesOf(
  client: LiveClient,
  { since = 0, signal }: WaitOptions & { readonly since?: number | undefined },
): AsyncGenerator<LogEntry> {
  const { handle } = client;
  const stop = AbortSignal.any([client.closed, ...(signal ? [signal] : [])]);
  let next = since;
  let wake = (): void => undefined;
  const undo = handle.log.appended.on(() => wake());
  stop.addEventListener('abort', () => wake());
  try {
    while (!stop.aborted) {
      const waiting = new Promise<void>((resolve) => (wake = resolve));
      for await (const entries of handle.entries()) {
        for (const entry of entries) {
          if (entry.seq < next || stop.aborted) continue;
          next = entry.seq + 1;
          yield toLogEntry(client.name, handle.shared(entry));
        }
      }
      await waiting;
    }
  } finally {
    undo();
  }
}
