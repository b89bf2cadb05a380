/** Waits for the end of a request that a stateless server may ask about first, in however many rounds. */
import type { JsonObject } from '../../base/json.ts';
import { isOpen, type Call } from '../../log/state/call.ts';
import type { Log } from '../../log/log.ts';

/** Rejects, in words, where there is no result. */
export async function resultOf(log: Log, callId: string): Promise<JsonObject> {
  const { result, error, reason } = await untilEnded(log, callId);
  if (result) return { ...result };
  // The sentences are loaded where one is needed.
  const { reasonText } = await import('../../log/reasons/reasonText.ts');
  throw new Error(error?.message ?? (reasonText(reason) || 'The server returned no result.'));
}

function untilEnded(log: Log, callId: string): Promise<Partial<Call>> {
  return new Promise((resolve) => {
    const look = (): boolean => {
      const call = log.state.calls.get(callId);
      if (call && isOpen(call)) return false;
      resolve(call ?? {});
      return true;
    };
    if (look()) return;
    const stop = log.changed.on(() => {
      if (look()) stop();
    });
  });
}
