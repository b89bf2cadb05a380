/** The sentences of results. */
import { formatNumber } from '../../base/format.ts';

export const WORDS = {
  noContent: 'Done. The tool returned no content.',
  noStructured: 'The tool has an output schema but returned no structured content.',
  newTab: 'Open in new tab',
  notRead: (why: string) => `Can’t read the resource: ${why}`,
  checking: 'Checking the output schema…',
  fits: 'Matches the output schema',
  unchecked: (why: string) => `Not checked against the output schema. ${why}`,
  misfits: 'Doesn’t match the output schema:',
  andMore: (n: number) => `and ${n} more.`,
  moreRows: (n: number) => `Show more (${formatNumber(n)} rows)`,
  formatted: 'The formatted view',
  first: (size: string) => `Showing the first ${size}.`,
} as const;
