/** What of an entry a sequence diagram shows: an arrow between a page load and the server, a note, or nothing. */
import { asText } from '../../base/asText.ts';
import { numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { EntryOf } from '../../log/entry/entryKinds.ts';
import { messageOf } from '../../log/entry/messageOf.ts';

/** `lost`: it didn't arrive, or it was dropped. */
type Arrow = 'request' | 'response' | 'lost';

interface ArrowStep {
  readonly kind: 'arrow';
  readonly from: 'page' | 'server';
  readonly arrow: Arrow;
  readonly label: string;
  readonly isReplayed?: true;
  /** One of many of its kind: some of them can be left out. */
  readonly isNotification?: true;
}

export type Step =
  | ArrowStep
  /** Over the page load, or over all participants. */
  | { readonly kind: 'note'; readonly over: 'page' | 'all'; readonly label: string };

export const note = (over: 'page' | 'all', label: string): Step => ({ kind: 'note', over, label });
export const arrow = (from: 'page' | 'server', how: Arrow, label: string): ArrowStep => ({
  kind: 'arrow',
  from,
  arrow: how,
  label,
});

export function sentStep(entry: EntryOf<'sent'>): Step {
  return arrow('page', directionOf(entry), messageLabel(entry.method, messageOf(entry)));
}

export function receivedStep(entry: EntryOf<'received'>): Step {
  return {
    ...arrow('server', directionOf(entry), messageLabel(entry.method, messageOf(entry))),
    ...(entry.replayed && { isReplayed: true }),
    ...(entry.method?.startsWith('notifications/') === true && { isNotification: true }),
  };
}

const directionOf = ({ method }: { readonly method?: string }) =>
  method === undefined ? 'response' : 'request';

export function stateStep({ state }: EntryOf<'state'>): Step | undefined {
  if (state.name === 'connected' && state.how !== 'fresh')
    return note('page', state.how === 'resumed' ? 'Resumed' : 'Server restarted');
  return state.name === 'disconnected' ? note('page', 'Disconnected') : undefined;
}

/** The resume itself, and what was refused. Each other exchange shows by its messages. */
export function httpStep({ method, status, requestHeaders }: EntryOf<'http'>): Step | undefined {
  const cursor = requestHeaders['last-event-id'];
  if (status >= 400 && status !== 405) return arrow('server', 'lost', `HTTP ${status} to ${method}`);
  return method === 'GET' && cursor !== undefined
    ? arrow('page', 'request', `GET with Last-Event-ID ${cursor}`)
    : undefined;
}

export function callStep({ change: { name } }: EntryOf<'call'>): Step | undefined {
  switch (name) {
    case 'lost':
    case 'cancelled':
    case 'expired':
      return note('page', `Call ${name}`);
    case 'unknown':
      return note('page', 'Outcome unknown');
    case 'background':
      return note('page', 'Call continues in the background');
    default:
      return undefined;
  }
}

/** The method, and the little that tells two messages of it apart. */
function messageLabel(method: string | undefined, message: JsonObject | undefined): string {
  if (method === undefined) return responseLabel(message);
  const params = message && objectField(message, 'params');
  const progress = numberField(params, 'progress');
  const total = numberField(params, 'total');
  const named = stringField(params, 'name') ?? stringField(params, 'uri') ?? stringField(params, 'level');
  const detail =
    progress === undefined ? named : `${progress}${total === undefined ? '' : `/${asText(total)}`}`;
  return detail === undefined ? method : `${method} ${detail}`;
}

function responseLabel(message: JsonObject | undefined): string {
  const error = message && objectField(message, 'error');
  if (error) return `error ${asText(error['code'])}`;
  return objectField(message ?? {}, 'result')?.['isError'] === true ? 'result (tool error)' : 'result';
}
