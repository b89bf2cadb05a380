/** The sentences of the inbox while it has no card. */

export const WORDS = {
  none: 'No input requests',
  close: 'Close the inbox',
  empty: 'Elicitations and sampling requests from servers appear here.',
} as const;
