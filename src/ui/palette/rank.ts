/** Which of many names somebody means who types a few letters of one. */

/** The better, the higher; undefined if the letters are not all there, in their order. */
export function score(text: string, typed: string): number | undefined {
  const hay = text.toLowerCase();
  const needle = typed.trim().toLowerCase();
  if (needle === '') return 0;
  const at = hay.indexOf(needle);
  if (at >= 0) return 1000 - at - hay.length / 100 + (isWordStart(hay, at) ? 500 : 0);
  let points = 0;
  let from = 0;
  for (const letter of needle.replaceAll(/\s+/g, '')) {
    const found = hay.indexOf(letter, from);
    if (found < 0) return undefined;
    points += isWordStart(hay, found) ? 10 : found === from ? 5 : 1;
    from = found + 1;
  }
  return points - hay.length / 100;
}

export function rank<T>(items: readonly T[], typed: string, textOf: (item: T) => string): readonly T[] {
  return items
    .flatMap((item, i) => {
      const points = score(textOf(item), typed);
      return points === undefined ? [] : [{ item, points, i }];
    })
    .sort((a, b) => b.points - a.points || a.i - b.i)
    .map(({ item }) => item);
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}
