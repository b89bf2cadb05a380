/** Recovery figures in words. */
import { duration, formatNumber } from '../../base/format.ts';
import type { RecoveryFigures } from '../../log/state/recovery.ts';
import type { Spread } from '../../log/state/spread.ts';

/** What is counted, and how much of it there is: "Time to reconnect", "median 80 ms, worst 1.2 s". */
export function recoveryRows(figures: RecoveryFigures): readonly (readonly [what: string, value: string])[] {
  return [
    ['Sessions resumed', formatNumber(figures.resumes)],
    ['Server restarts', formatNumber(figures.restarts)],
    ['Missed events recovered', formatNumber(figures.eventsRecovered)],
    ['Calls lost', formatNumber(figures.callsLost)],
    ['Calls with unknown outcome', formatNumber(figures.callsUnknown)],
    ['Time to reconnect', spreadWords(figures.timeToReturn)],
    ['Blind window (from the call to its first event ID)', spreadWords(figures.blindWindows)],
  ];
}

function spreadWords({ medianMs, worstMs }: Spread): string {
  if (medianMs === undefined || worstMs === undefined) return 'Not measured yet';
  return `median ${duration(medianMs)}, worst ${duration(worstMs)}`;
}
