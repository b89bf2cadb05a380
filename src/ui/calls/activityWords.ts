/** The sentences of the calls that run in the background. */

export const WORDS = {
  open: (state: string, since: string, left: string) => `${state} for ${since}, up to ${left} left`,
} as const;
