/** The sentences of the resources. */

export const WORDS = {
  notInLog: 'An imported log has no list of resources.',
  connect: 'Connect to see resources.',
  needsInput: 'The server needs your input first. Answer in the inbox.',
  noPdf: 'This browser can’t display PDFs inline. Download it instead.',
  listHint: 'One value per line, or name=value lines.',
  first: (shown: string, all: string) => `Showing the first ${shown} of ${all}.`,
  noType: 'no MIME type',
  view: 'View of the text',
  formatted: 'The formatted view',
  reported: (size: string) => `${size} (reported by the server)`,
  connectToRead: 'Connect to read this resource.',
  failed: (why: string) => `Can’t read the resource: ${why}`,
  empty: 'Empty resource.',
  template: 'This resource template',
  none: 'This server has no resources.',
  cut: (most: number) => `Only the first ${most} characters are used.`,
  badTemplate: (why: string) => `Invalid URI template (RFC 6570): ${why}`,
} as const;
