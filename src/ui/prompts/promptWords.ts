/** The sentences of the prompts. */

export const WORDS = {
  none: 'This server has no prompts.',
  connect: 'Connect to see prompts.',
  noMessages: 'The prompt’s messages appear here and survive reloads.',
  needsInput: 'The server needs your input first. Answer in the inbox.',
} as const;
