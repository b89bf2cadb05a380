/** The sentences of playback. */

export const WORDS = {
  toStart: 'Back to the beginning',
} as const;
