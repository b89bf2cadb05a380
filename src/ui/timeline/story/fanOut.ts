/** Where events that came at once are drawn beside each other. */

interface Fan {
  readonly start: number;
  /** Where the last of them came. */
  readonly end: number;
  readonly count: number;
  readonly size: number;
  /** Up to the next thing in the row. */
  readonly room: number;
  /** The bar of the call: nothing is drawn outside of it. */
  readonly within: { readonly from: number; readonly to: number };
}

const APART = 11;
const LEAST_APART = 6;
const MOST = 60;

/** @returns their places; nothing where they are too many to be told apart */
export function fanOut({ start, end, count, size, room, within }: Fan): readonly number[] | undefined {
  if (count > MOST) return undefined;
  const wanted = Math.max(APART * size, (end - start) / Math.max(1, count - 1));
  const most = (within.to - within.from) / Math.max(1, count - 1);
  const apart = Math.min(most, Math.max(LEAST_APART * size, Math.min(wanted, room / count)));
  if (apart < LEAST_APART * size && count > 1) return undefined;
  if (count * apart > Math.max(room, MOST * LEAST_APART * size)) return undefined;
  // Those that came right before the end of the call begin earlier, so that the last one is at the end.
  const first = Math.max(within.from, Math.min(start, within.to - (count - 1) * apart));
  return Array.from({ length: count }, (_, i) => first + i * apart);
}
