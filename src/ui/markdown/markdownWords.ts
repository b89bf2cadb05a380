/** The sentences of formatted text. */

export const WORDS = {
  tooSlow: 'Shown as text, because formatting it takes too long.',
  unsafe: (href: string) => `Link not opened for safety: ${href}`,
} as const;
