/** The sentences of servers that can’t be opened. */

export const WORDS = {
  label: 'Servers that aren’t open',
  heldBack: 'Reprise didn’t finish starting with this server last time, so it isn’t open.',
  failed: (why: string) => `Can’t open this server: ${why}`,
  openAnyway: 'Open it anyway',
  notExported: (why: string) => `The log can’t be exported: ${why}`,
} as const;
