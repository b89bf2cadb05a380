/** Where the sessions of a bridge keep their events: in its memory, or in a Redis that several bridges share. */
import type { EventLogLimits } from '../targets/core/eventLog.ts';
import type { LogSink } from '../targets/core/log.ts';
import { MemoryStore, type BridgeEventStore } from './eventStore.ts';
import type { SessionDirectory } from './sessionDirectory.ts';

export interface Stores {
  create(sessionId: string, log: LogSink): BridgeEventStore;
  /** Which bridge has a session; missing where only this one can have it. */
  readonly directory?: SessionDirectory;
  close(): Promise<void>;
}

export interface StoreLimits extends EventLogLimits {
  /** Events of a session that its bridge couldn't remove are forgotten after this long. */
  readonly maxAgeMs: number;
}

/** `memory:` or `redis://…` */
export async function openStores(url: string, limits: StoreLimits): Promise<Stores> {
  if (url === 'memory:') {
    return {
      create: (_sessionId, log) => new MemoryStore({ ...limits, log }),
      close: async () => undefined,
    };
  }
  // Loaded late: most bridges have no use for it.
  const { openRedisStores } = await import('./redisStores.ts');
  return openRedisStores(url, limits);
}
