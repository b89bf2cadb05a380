/** The sentences of the parts of the log that are loaded when they’re opened. */

export const WORDS = {
  noClipboard: 'Can’t copy: the browser blocked clipboard access.',
  notAnObject: 'Parameters must be a JSON object.',
  notStored: 'One of these entries is no longer stored.',
  import: 'Open a Reprise log (JSON). It opens read-only next to your servers.',
} as const;
