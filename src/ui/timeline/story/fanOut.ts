/** Where events that came at once are drawn beside each other. */

interface Fan {
  readonly start: number;
  /** Where the last of them came. */
  readonly end: number;
  readonly count: number;
  readonly size: number;
  /** Up to the next thing in the row. */
  readonly room: number;
}

const APART = 11;
const LEAST_APART = 6;
const MOST = 60;

/** @returns their places; nothing where they are too many to be told apart */
export function fanOut({ start, end, count, size, room }: Fan): readonly number[] | undefined {
  if (count > MOST) return undefined;
  const wanted = Math.max(APART * size, (end - start) / Math.max(1, count - 1));
  const apart = Math.max(LEAST_APART * size, Math.min(wanted, room / count));
  if (count * apart > Math.max(room, MOST * LEAST_APART * size)) return undefined;
  return Array.from({ length: count }, (_, i) => start + i * apart);
}
