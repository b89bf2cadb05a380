/** The sentences of the list of calls. */

export const WORDS = {
  filter: 'Filter the calls',
  share: 'Export or import',
  showCleared: 'Show cleared calls',
  inLog: (entries: string) => `${entries} in the log`,
  shows: (span: string, rows: string) => `Shows ${span}. ${rows} in the list.`,
  noMatch: 'No call matches.',
  cleared: 'Cleared.',
  none: 'Calls appear here.',
  byApp: (args: string) => `by the app ${args}`,
  nothing: (span: string) => `Nothing for ${span}.`,
  unfold: 'Click to unfold',
} as const;
