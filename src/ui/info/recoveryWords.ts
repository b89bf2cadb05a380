/** Recovery figures in words. */
import { duration, figure } from '../../base/words.ts';
import type { RecoveryFigures } from '../../log/state/recovery.ts';
import type { Spread } from '../../log/state/spread.ts';

/** What is counted, and how much of it there is: "Time to reconnect", "median 80 ms, worst 1.2 s". */
export function recoveryRows(figures: RecoveryFigures): readonly (readonly [what: string, value: string])[] {
  return [
    ['Sessions resumed', figure(figures.resumes)],
    ['Server restarts', figure(figures.restarts)],
    ['Missed events recovered', figure(figures.eventsRecovered)],
    ['Calls lost', figure(figures.callsLost)],
    ['Calls with unknown outcome', figure(figures.callsUnknown)],
    ['Time to reconnect', spreadWords(figures.timeToReturn)],
    ['Blind window (from the call to its first event ID)', spreadWords(figures.blindWindows)],
  ];
}

function spreadWords({ medianMs, worstMs }: Spread): string {
  if (medianMs === undefined || worstMs === undefined) return 'Not measured yet';
  return `median ${duration(medianMs)}, worst ${duration(worstMs)}`;
}
