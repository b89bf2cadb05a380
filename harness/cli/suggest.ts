/** "Did you mean …?" for a word that isn't known. Pure. */

/** More changes than this make another word. */
const MAX_CHANGES = 3;

export function suggest(word: string, known: readonly string[]): string {
  const [best] = known
    .map((name) => ({ name, changes: distance(word, name) }))
    .filter(({ name, changes }) => changes <= Math.min(MAX_CHANGES, name.length - 1))
    .sort((a, b) => a.changes - b.changes);
  return best ? ` Did you mean ${best.name}?` : '';
}

/** How many letters have to be added, removed or changed (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
