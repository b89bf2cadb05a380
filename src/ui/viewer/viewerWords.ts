/** The sentences of the viewer of exported logs. */

export const WORDS = {
  unreadable: (entries: string) => `${entries} that can’t be read`,
  select: 'Select an entry to see its message.',
  noCall: 'No call has been made at this moment.',
} as const;
