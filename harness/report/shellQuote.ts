/** A word for a shell: what a server says may hold anything. Pure. */
export function shellQuote(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
