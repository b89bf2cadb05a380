/** How patient streams are. */
import type { Policy } from './stream.ts';

type Pace = Omit<Policy, 'hasSession' | 'sendsEventIds' | 'canResume' | 'isStateless'>;

export const PACE: Pace = {
  failuresBeforeCheck: 3,
  refusalsBeforeGivingUp: 3,
  quick: { firstMs: 50, capMs: 2000 },
  calm: { firstMs: 250, capMs: 10_000 },
  silence: { firstMs: 5000, capMs: 60_000 },
  deafAfterMs: 15_000,
  lateAfterMs: 300,
};
