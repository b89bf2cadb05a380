/** The sentences of the history of an interface. */

export const WORDS = {
  noChanges: 'Changes to the server’s tools, resources and prompts appear here.',
  estimate: 'The estimate is one token for four bytes.',
  compare: 'Compare with a snapshot…',
  since: (date: string) => `The current interface was first seen on ${date}.`,
  same: 'No differences.',
  cut: (most: number) => `Only the first ${most} changes are shown.`,
  notes: 'Notes for the author',
  noNotes: 'Nothing found.',
  size: 'Size of the tool list',
  sizeByTool: 'Size by tool',
  largest: (most: number) => `Only the largest ${most} tools are shown.`,
} as const;
