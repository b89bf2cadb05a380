/** The sentences of the frame around the sections. */

export const WORDS = {
  callTool: 'Call a tool',
  noDialog: 'The dialog couldn’t be loaded. Check your connection to this site.',
  more: 'More sections',
  moreNew: (n: number) => `More sections, ${n} new`,
} as const;
