/** Puts two sequences side by side, so that what is the same stands in the same row. */

export interface Row<T> {
  readonly left?: T;
  readonly right?: T;
  readonly how: 'same' | 'changed' | 'left-only' | 'right-only';
}

/** Beyond this many comparisons the middle is paired in order instead. */
const MOST_CELLS = 4_000_000;

export function align<T>(
  left: readonly T[],
  right: readonly T[],
  keyOf: (item: T) => string,
): readonly Row<T>[] {
  const a = left.map(keyOf);
  const b = right.map(keyOf);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = pairs(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const rows: Row<T>[] = [];
  const same = (i: number, j: number) => rows.push(row(left[i], right[j], true));
  for (let i = 0; i < start; i += 1) same(i, i);
  for (const [i, j] of middle) {
    const isSame = i !== undefined && j !== undefined && a[start + i] === b[start + j];
    rows.push(
      row(
        i === undefined ? undefined : left[start + i],
        j === undefined ? undefined : right[start + j],
        isSame,
      ),
    );
  }
  for (let k = end; k > 0; k -= 1) same(left.length - k, right.length - k);
  return rows;
}

function row<T>(left: T | undefined, right: T | undefined, isSame: boolean): Row<T> {
  if (right === undefined) return left === undefined ? { how: 'changed' } : { left, how: 'left-only' };
  if (left === undefined) return { right, how: 'right-only' };
  return { left, right, how: isSame ? 'same' : 'changed' };
}

type Pair = readonly [number | undefined, number | undefined];

/** The longest common subsequence; what lies between two matches is paired as changed. */
function pairs(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const matches = a.length * b.length > MOST_CELLS ? [] : longestCommon(a, b);
  const found: Pair[] = [];
  let i = 0;
  let j = 0;
  for (const [p, q] of [...matches, [a.length, b.length] as const]) {
    while (i < p || j < q) found.push([i < p ? i++ : undefined, j < q ? j++ : undefined]);
    if (p < a.length) found.push([i++, j++]);
  }
  return found;
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) found.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return found;
}
