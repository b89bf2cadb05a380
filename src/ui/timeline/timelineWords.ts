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
  fit: 'Fit everything, or what is new',
  earlier: 'Move to earlier',
  later: 'Move to later',
  clearRange: 'Clear the range',
  filterExample: 'Filter, e.g. method:progress -kind:http',
  origin: 'Custom time origin',
  mermaid: 'Copy as Mermaid',
  mermaidHint: 'Sequence diagram of the entries that are shown',
  play: 'Play the log as it happened',
} as const;
