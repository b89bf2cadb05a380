/** The lines of what this page decided about calls and questions. */
import { assertNever } from '../base/assertNever.ts';
import { duration } from '../base/format.ts';
import type { CallChange, QuestionChange } from '../log/entry/entry.ts';
import type { EntryOf } from '../log/entry/entryKinds.ts';
import { reasonText } from '../log/reasons/reasonText.ts';
import { RAN_TWICE } from '../log/state/runSign.ts';
import { errorMessageOf } from '../log/reasons/told.ts';
import type { LineOf } from './drawnKind.ts';
import { cut } from './messageGist.ts';
import { shortStream } from './shortStream.ts';

export function questionLine(change: QuestionChange): LineOf {
  const { name } = change;
  if (name === 'task') return { label: name, gist: `TTL ${duration(change.ttlMs)}` };
  return {
    label: name,
    gist: name === 'completed' ? 'Marked as done by you.' : reasonText(change.reason),
    ...(name === 'expired' && { tone: 'look' }),
  };
}

export function callLine({ callId, change }: EntryOf<'call'>): LineOf {
  return { ...changeLine(change), stream: shortStream(callId) };
}

function changeLine(change: CallChange): LineOf {
  switch (change.name) {
    case 'sending':
      return { label: change.tool, gist: cut(JSON.stringify(change.args)) };
    case 'open':
    case 'background':
    case 'forgotten':
      return { label: change.name };
    case 'retrying':
      return { label: 'retried', gist: 'with your answers' };
    case 'ran-again':
      return { label: 'ran again', gist: `${RAN_TWICE} ${reasonText(change.reason)}`, tone: 'look' };
    case 'failed':
      return { label: 'failed', gist: errorMessageOf(change.error, change.reason), tone: 'bad' };
    case 'lost':
    case 'expired':
      return { label: change.name, gist: reasonText(change.reason), tone: 'bad' };
    case 'unknown':
      return { label: 'unknown', gist: reasonText(change.reason), tone: 'look' };
    case 'cancelled':
      return { label: 'cancelled', gist: reasonText(change.reason) };
    default:
      return assertNever(change);
  }
}
