/** The progress and log messages of one call, in order and each once: stored ones first, then new ones as they come. */
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import { messageOf } from '../../log/entry/messageOf.ts';
import { isOpen } from '../../log/state/call.ts';
import type { CallMessage, MessagesOptions } from './callTypes.ts';

export interface MessageSource {
  readonly log: ServerLog;
  /** All stored entries, oldest first. */
  entries(): AsyncIterable<readonly Entry[]>;
}

const METHODS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

export async function* messagesOf(
  source: MessageSource,
  callId: string,
  { from = 'start', signal }: MessagesOptions = {},
  closed?: AbortSignal,
): AsyncGenerator<CallMessage> {
  const { log } = source;
  const queue: Received[] = [];
  let wake = (): void => undefined;
  // Before anything is read: what comes while storage is read must not be missed.
  const stopListening = log.appended.on((batch) => {
    if (!batch.samples.some((entry) => isMessage(entry, callId))) return wake();
    for (const entry of batch.entries) if (isMessage(entry, callId)) queue.push(entry);
    wake();
  });
  const isStopped = (): boolean => signal?.aborted === true || closed?.aborted === true;
  const onStop = (): void => wake();
  signal?.addEventListener('abort', onStop);
  closed?.addEventListener('abort', onStop);
  try {
    let through = from === 'now' ? log.state.nextSeq - 1 : 0;
    if (from === 'start') {
      for await (const stored of source.entries()) {
        for (const entry of stored) {
          if (isStopped()) return;
          if (entry.seq <= through || !isMessage(entry, callId)) continue;
          through = entry.seq;
          yield publicMessage(entry);
        }
      }
    }
    while (!isStopped()) {
      const entry = queue.shift();
      if (entry) {
        if (entry.seq > through) yield publicMessage(entry);
        continue;
      }
      const call = log.state.calls.get(callId);
      if (!call || !isOpen(call)) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stopListening();
    signal?.removeEventListener('abort', onStop);
    closed?.removeEventListener('abort', onStop);
  }
}

type Received = Entry & { readonly kind: 'received' };

function isMessage(entry: Entry, callId: string): entry is Received {
  return entry.kind === 'received' && entry.callId === callId && METHODS.has(entry.method ?? '');
}

function publicMessage(entry: Received): CallMessage {
  const { params } = (messageOf(entry) ?? {}) as { readonly params?: object };
  const message: object = {
    method: entry.method,
    params: params ?? {},
    at: entry.at,
    replayed: entry.replayed === true,
  };
  // The shape of the parameters is the server's promise.
  return message as CallMessage;
}
