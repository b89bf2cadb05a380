/** The sentences that say why a call ended as it did. */

export const WORDS = {
  done: 'The server sent the result, and it was stored.',
  toolError: 'The tool ran, and its result is an error (isError).',
  running: 'The server hasn’t sent a result yet.',
  noStream: 'No stream carried it.',
} as const;
