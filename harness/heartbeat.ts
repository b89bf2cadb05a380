/** How long this process had to wait for a processor: a machine that is too busy must not be taken for a slow server. */
import { performance } from 'node:perf_hooks';

const BEAT_MS = 100;
/** A larger part than this, and nothing that took too long says anything about the server. */
const TOO_MUCH = 0.25;

export interface Heartbeat {
  /** Ends it, and tells how late its beats were in all, if that was too much. */
  stop(): { readonly lateMs: number; readonly isTooBusy: boolean };
}

export function startHeartbeat(now: () => number = () => performance.now()): Heartbeat {
  const startedAt = now();
  let last = startedAt;
  let lateMs = 0;
  const beat = (): void => {
    lateMs += Math.max(0, now() - last - BEAT_MS);
    last = now();
  };
  const timer = setInterval(beat, BEAT_MS);
  return {
    stop() {
      clearInterval(timer);
      beat();
      return { lateMs, isTooBusy: lateMs > (now() - startedAt) * TOO_MUCH };
    },
  };
}
