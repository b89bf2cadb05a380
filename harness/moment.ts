/** When to interrupt a call: about its middle, read off the control call; a seed moves it. Pure. */
import type { Control } from './context.ts';

export type Moment =
  | { readonly name: 'received'; readonly messages: number }
  /** A tool that says nothing on its way, or a server that holds it back, leaves only the clock. */
  | { readonly name: 'elapsed'; readonly ms: number };

const FEW_MESSAGES = 4;
/** What comes later than this part of a call comes too late to interrupt it. */
const LATE = 0.8;

/** `fraction`: how far into the call, from 0 to 1. */
export function momentAt(
  { observed, durationMs }: Pick<Control, 'observed' | 'durationMs'>,
  fraction: number,
): Moment {
  const total = observed.messages.length;
  const messages = Math.min(total - 2, Math.max(1, Math.round(total * fraction)));
  const cameAt = (observed.messages[messages - 1]?.at ?? Infinity) - observed.call.startedAt;
  if (total >= FEW_MESSAGES && cameAt <= durationMs * LATE) return { name: 'received', messages };
  return { name: 'elapsed', ms: Math.round(durationMs * fraction) };
}

/** So long after its end, a call that runs a little slower than the control has ended too. */
const MARGIN_MS = 700;

/**
 * How long a call still takes, at the pace that it has had so far.
 *
 * @param received messages, after `elapsedMs`
 */
export function msUntilOver(
  { observed, durationMs }: Pick<Control, 'observed' | 'durationMs'>,
  { received, elapsedMs }: { readonly received: number; readonly elapsedMs: number },
): number {
  const cameAt = observed.messages[received - 1]?.at;
  // Without a message there is no pace: then it may only have begun.
  if (cameAt === undefined) return durationMs + MARGIN_MS;
  const expectedMs = Math.max(1, cameAt - observed.call.startedAt);
  const slower = Math.max(1, elapsedMs / expectedMs);
  return Math.min(durationMs, Math.max(0, durationMs - expectedMs) * slower) + MARGIN_MS;
}

/** Around the middle, never at the edges. */
export function middle(random: () => number): number {
  return 0.35 + random() * 0.3;
}

/** Another seed for each scenario (FNV-1a), so that its numbers don't depend on which others run. */
export function seedOf(seed: number, scenario: string): number {
  let mixed = (seed ^ 0x811c9dc5) >>> 0;
  for (const letter of scenario) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return mixed;
}

/** Mulberry32: small, and the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
