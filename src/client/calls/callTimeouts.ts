/** How long a call may take, and what becomes of it after that. Pure. */
import type { Call } from '../../log/state/call.ts';
import type { ReasonOf } from '../../log/reasons/reason.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
export const DEFAULT_BACKGROUND_MS = 300_000;
const MAX_BACKGROUND_MS = 1_800_000;

interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly backgroundMs?: number;
}

export type TimeoutStep =
  | { readonly name: 'background'; readonly at: number }
  | { readonly name: 'cancel'; readonly at: number; readonly reason: ReasonOf<'timed-out'> };

/** What becomes of an open call next, and when; counted from its start, in whatever page that was. Nothing without a limit. */
export function nextStep(
  call: Pick<Call, 'startedAt' | 'timeoutMs' | 'backgroundMs' | 'backgroundSince'>,
): TimeoutStep | undefined {
  const { startedAt, timeoutMs, backgroundMs = 0, backgroundSince } = call;
  if (timeoutMs === undefined) return undefined;
  if (backgroundSince === undefined && backgroundMs > 0)
    return { name: 'background', at: startedAt + timeoutMs };
  return {
    name: 'cancel',
    at: (backgroundSince ?? startedAt + timeoutMs) + backgroundMs,
    reason: {
      code: 'timed-out',
      how: 'call',
      timeoutMs,
      ...(backgroundSince !== undefined && { backgroundMs }),
    },
  };
}

export function limitsOf({ timeoutMs, backgroundMs }: Limits): { timeoutMs?: number; backgroundMs?: number } {
  if (timeoutMs === Infinity) return {};
  const given = backgroundMs ?? (timeoutMs === undefined ? DEFAULT_BACKGROUND_MS : 0);
  return {
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ...(given > 0 && { backgroundMs: Math.min(given, MAX_BACKGROUND_MS) }),
  };
}
