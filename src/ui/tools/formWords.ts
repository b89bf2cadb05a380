/** The sentences of a tool’s form. */

export const WORDS = {
  mismatch: 'Arguments don’t match the schema.',
  meta: 'Sent with the call. What the protocol needs (progressToken, for example) is added.',
  limits: 'Applies to every call to this server.',
  imported: 'Imported log, read-only: its tools can’t be called.',
  connect: 'Connect to see tools.',
  none: 'This server has no tools.',
} as const;
