/** Times between page loads, when no page was there to see anything. */
import type { Exchanges } from './exchanges.ts';

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Else the page was only not seen: when it went away isn't known. */
  readonly isKnown: boolean;
}

export function gapsOf({ loads }: Exchanges): readonly Gap[] {
  return loads.flatMap(({ to, end }, i) => {
    const next = loads[i + 1];
    return next && end !== 'taken-over' ? [{ from: to, to: next.from, isKnown: end === 'left' }] : [];
  });
}
