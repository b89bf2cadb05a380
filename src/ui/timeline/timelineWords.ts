/** The sentences of the timeline and the log. */

export const WORDS = {
  noMatch: 'No entries match the filter.',
  noneInRange: 'No entries in this range.',
  noEntries: 'No entries yet. Connect to a server to start recording.',
  cleared: 'Calls cleared from the list. The log keeps them.',
  clearHint: 'Clears the list. The log keeps everything',
  plumbingHint: 'Event IDs, ends of streams and accepted calls',
  lanesHint: 'The calls with their lanes, above the entries (V)',
  clockHint: 'Clock times instead of the time since the page load (Shift+Z)',
  playHint: 'The log as it happened, with speed and pause (Shift+P)',
} as const;
