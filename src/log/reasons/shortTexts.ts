/** The few sentences that a connection needs at once; all others are in `reasonText.ts`, which is loaded apart. */
import { plural } from '../../base/format.ts';

export function noResultText(timeoutMs: number, backgroundMs: number | undefined): string {
  const more = backgroundMs === undefined ? '' : ` plus ${inSeconds(backgroundMs)} in the background`;
  return `Timed out after ${inSeconds(timeoutMs)}${more}. The call was cancelled.`;
}

export const CANCELLED_BY_USER = 'Cancelled by you.';
export const DECLINED_BY_USER = 'You declined the server’s request.';

/** Nothing where the fact is not known. */
export const after = (separator: string, fact: string | undefined): string =>
  fact === undefined ? '' : `${separator}${fact}`;

/** "4 seconds", "1.5 seconds", "20 milliseconds" */
function inSeconds(ms: number): string {
  if (ms < 1000) return plural(Math.round(ms), 'millisecond');
  return plural(Math.round(ms / 100) / 10, 'second');
}
