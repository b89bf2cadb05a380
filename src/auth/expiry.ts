/** When a token is due for renewal. */
import type { KeptTokens } from './authStore.ts';

const MARGIN_MS = 30_000;

/** Half a minute before its end, or a fifth of its life if that is shorter. */
export function expiresSoon({ savedAt, expiresAt }: KeptTokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  const marginMs = Math.min(MARGIN_MS, Math.max(0, expiresAt - savedAt) / 5);
  return now >= expiresAt - marginMs;
}
