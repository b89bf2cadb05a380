import type { SpanEnd } from '../../../timeline/span.ts';

/** How a bar ended is told by its outline too. */
export const DASHES: Readonly<Partial<Record<SpanEnd, number[]>>> = {
  lost: [4, 3],
  expired: [4, 3],
  unknown: [1.5, 2.5],
  cancelled: [8, 3],
};
