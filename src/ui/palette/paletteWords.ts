/** The sentences of the command palette and the list of shortcuts. */

export const WORDS = {
  search: 'Search commands, tools and servers…',
  none: 'No matches.',
  singleKeys: 'Single-key shortcuts (turn off if you use voice control)',
} as const;
