/** A stream as the event store has it, from its first event until its run is over: for one more reader of it. */
import type { RequestRun, StoredPlace } from './requestRun.ts';
import { messageFrame, primingFrame } from './sse.ts';
import type { StreamLedger } from './streamLedger.ts';

export function followStream(
  streams: StreamLedger,
  run: RequestRun,
  { streamId, start }: StoredPlace,
  retryMs: number | undefined,
): ReadableStream<Uint8Array> {
  let last = start;
  let hasLeft = false;
  return new ReadableStream({
    start: (controller) => controller.enqueue(primingFrame(start, retryMs)),
    async pull(controller) {
      const send = async (eventId: string, message: object) => {
        if (hasLeft) return;
        last = eventId;
        controller.enqueue(messageFrame(eventId, JSON.stringify(message)));
      };
      const before = last;
      while (last === before && !hasLeft) {
        // Both are asked for before the replay, or something could be stored in between.
        const isComplete = run.isOver;
        const changed = streams.nextChange(streamId);
        const isKept = await streams.store.replayEventsAfter(last, { send }).then(
          () => true,
          () => false,
        );
        if (hasLeft) return;
        if (isComplete || !isKept) return controller.close();
        if (last === before) await changed;
      }
    },
    cancel: () => {
      hasLeft = true;
    },
  });
}
