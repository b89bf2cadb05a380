/** The sentences of the prompts. */

export const WORDS = {
  none: 'This server has no prompts.',
  notInLog: 'An imported log has no list of prompts.',
  connect: 'Connect to see prompts.',
  noMessages: 'The prompt’s messages appear here and survive reloads.',
  needsInput: 'The server needs your input first. Answer in the inbox.',
  noArguments: 'No arguments.',
  cut: (most: number) => `Too long for a form. Only the first ${most} arguments are here.`,
  failed: (why: string) => `Can’t get the prompt: ${why}`,
  empty: 'No messages.',
  result: 'The result of this prompt',
} as const;
