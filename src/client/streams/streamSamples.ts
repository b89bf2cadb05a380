/** Streams, events and effects for the tests, as short as the table needs them. */
import type { Effect, End, Live, Policy, Stream, StreamEvent } from './stream.ts';

export const POLICY: Policy = {
  hasSession: true,
  sendsEventIds: true,
  canResume: true,
  closeCancels: false,
  failuresBeforeCheck: 3,
  refusalsBeforeGivingUp: 3,
  quick: { firstMs: 50, capMs: 2000 },
  calm: { firstMs: 250, capMs: 10_000 },
  silence: { firstMs: 5000, capMs: 60_000 },
  deafAfterMs: 15_000,
  lateAfterMs: 300,
  queuedAfterMs: 2000,
};

const NONE = { failed: 0, refused: 0, silent: 0 };

type Name = Exclude<Stream['name'], 'absent' | 'ended'>;
type Given = Partial<Live> & {
  delayMs?: number;
  status?: number;
  isLate?: true;
  session?: 'checking' | 'alive';
};

/** The stream of a call, resumed from event 7, if nothing else is said. */
export function stream(name: Name, given: Given = {}): Stream {
  const own = {
    ...(name === 'waiting' && { delayMs: given.delayMs ?? 250 }),
    ...(name === 'checking' && { status: given.status }),
    ...(given.isLate && { isLate: true }),
    ...(given.session && { session: given.session }),
  };
  const { id = 'c1', role = 'call', via = 'resume', retryMs, setbacks = NONE } = given;
  const lastEventId = 'lastEventId' in given ? given.lastEventId : '7';
  return { name, id, role, via, lastEventId, retryMs, setbacks, ...own } as Stream;
}

export const standalone = (name: Name, given: Given = {}): Stream =>
  stream(name, { id: 'standalone', role: 'standalone', ...given });

export const absent: Stream = { name: 'absent', id: 'standalone', role: 'standalone' };

export const ended = (end: End, role: Live['role'] = 'call'): Stream => ({
  name: 'ended',
  id: role === 'standalone' ? 'standalone' : 'c1',
  role,
  end,
});

export const setbacks = (given: Partial<Live['setbacks']> = {}): Live['setbacks'] => ({ ...NONE, ...given });

const PLAIN = ['place-granted', 'place-wanted', 'opened', 'closed', 'network-error', 'network-back'] as const;
const SESSION = ['session-alive', 'session-unreachable', 'session-gone', 'server-suspected'] as const;
const REST = ['unauthorized', 'authorized', 'cancelled', 'leaving', 'response'] as const;

/** One of each kind, and of the statuses that differ. */
export const EVENTS: readonly StreamEvent[] = [
  ...[...PLAIN, ...SESSION, ...REST].map((kind): StreamEvent => ({ kind })),
  { kind: 'received', eventId: '8', isNew: true },
  { kind: 'retry', delayMs: 1000 },
  { kind: 'refused', status: 409 },
  { kind: 'oversized', limitBytes: 32 },
  { kind: 'timer', awaitsUser: false },
];

export const ask: Effect = { kind: 'askForPlace', rank: 'stream' };
export const askToListen: Effect = { kind: 'askForPlace', rank: 'standalone' };
export const release: Effect = { kind: 'release' };
export const check: Effect = { kind: 'checkSession' };
export const get = (lastEventId?: string): Effect => ({ kind: 'get', lastEventId });
export const timer = (delayMs: number): Effect => ({ kind: 'startTimer', delayMs });
export const declare = (end: End): Effect => ({ kind: 'declare', end });
