/** The sentences of the parts of the log that are loaded when they’re opened. */

export const WORDS = {
  noClipboard: 'Can’t copy: the browser blocked clipboard access.',
  notAnObject: 'Parameters must be a JSON object.',
  notStored: 'One of these entries is no longer stored.',
  import: 'Open a Reprise log (JSON). It opens read-only next to your servers.',
  leftOnly: 'only on the left',
  rightOnly: 'only on the right',
  compare: 'What to compare',
  same: 'No differences.',
  link: 'Link to this entry',
  mermaid: 'Mermaid (the call)',
  zero: 'Time from here',
  control: 'Compare with control call',
  resend: 'Edit and resend',
  comparing: (seq: number) => `Comparing with entry ${seq}. Select another one and choose Compare.`,
  playhead: 'At the playhead',
  noPage: 'no page loaded',
  latest: 'Go to latest',
  share: 'Export and import',
  withoutContent: 'Exclude message contents',
  onlyShown: (entries: string) => `Only the ${entries} matching the filter`,
} as const;
