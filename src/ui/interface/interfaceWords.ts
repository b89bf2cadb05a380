/** The sentences of the history of an interface. */

export const WORDS = {
  noChanges: 'Changes to the server’s tools, resources and prompts appear here.',
  estimate: 'The estimate is one token for four bytes.',
} as const;
