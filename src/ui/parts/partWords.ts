/** The sentences of the parts that every section uses. */

export const WORDS = {
  fullHint: 'Full screen (Shift+F)',
  broken: (what: string) => `${what} can’t be displayed. Here it is as raw text.`,
  notLoaded: (what: string) => `${what} couldn’t be loaded.`,
  notLoadedFix: 'Check your connection to this site. If the site has a new version, reload the page.',
  resize: (what: string) => `${what}: drag or use arrow keys, double-click to reset`,
  none: 'No matches.',
} as const;
