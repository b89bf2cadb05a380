/** An entry of a view of an MCP App as one line. */
import { assertNever } from '../base/assertNever.ts';
import type { EntryOf } from '../log/entry/entryKinds.ts';
import type { LineOf } from './drawnKind.ts';

const GIST_CHARS = 160;

export function appLine(entry: EntryOf<'app'>): LineOf {
  const { appText, uri = '', callId, step } = entry;
  return {
    label: labelOf(entry),
    gist: (appText ?? uri).slice(0, GIST_CHARS),
    stream: callId.slice(-4),
    tone: step === 'finding' ? 'look' : 'plain',
  };
}

/** An arrow tells the two directions apart: `→` is to the view. */
function labelOf({ step, method = 'response', finding, more }: EntryOf<'app'>): string {
  const times = more === undefined ? '' : ` (and ${more} more)`;
  switch (step) {
    case 'opened':
    case 'closed':
      return `view ${step}`;
    case 'sent':
      return `→ ${method}${times}`;
    case 'received':
      return `← ${method}${times}`;
    case 'finding':
      return `${finding ?? step}${times}`;
    default:
      return assertNever(step);
  }
}
