/** The sentences of the resources. */

export const WORDS = {
  connect: 'Connect to see resources.',
  needsInput: 'The server needs your input first. Answer in the inbox.',
  noPdf: 'This browser can’t display PDFs inline. Download it instead.',
  listHint: 'One value per line, or name=value lines.',
} as const;
