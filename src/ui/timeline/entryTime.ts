/** When an entry was written, as a row of the log says it. */
import { preciseClock } from './story/clockLabel.ts';

/** @param since the moment that times are counted from; without one, the clock */
export function entryTime(at: number, since: number | undefined): string {
  if (since === undefined) return preciseClock(at);
  const ms = at - since;
  return `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(2)} s`;
}
