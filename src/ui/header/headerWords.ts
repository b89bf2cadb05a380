/** The sentences of the header. */

export const WORDS = {
  search: 'Search or run…',
  theme: (now: string, next: string) => `Theme: ${now}. Switch to ${next}.`,
} as const;
