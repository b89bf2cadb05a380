/** How patient streams are. */
import { PACES } from '../../base/backoff.ts';
import type { Policy } from './stream.ts';

type Pace = Omit<Policy, 'hasSession' | 'sendsEventIds' | 'canResume' | 'closeCancels'>;

export const PACE: Pace = {
  failuresBeforeCheck: 3,
  refusalsBeforeGivingUp: 3,
  ...PACES,
  silence: { firstMs: 5000, capMs: 60_000 },
  deafAfterMs: 15_000,
  lateAfterMs: 300,
  queuedAfterMs: 2000,
};
