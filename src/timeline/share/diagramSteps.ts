/** What of an entry a sequence diagram shows: an arrow between a page load and the server, a note, or nothing. */
import { asText } from '../../base/asText.ts';
import { numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { CallChange, Entry } from '../../log/entry.ts';
import { messageOf } from '../../log/log.ts';

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

const note = (over: 'page' | 'all', label: string): Step => ({ kind: 'note', over, label });
const arrow = (from: 'page' | 'server', how: Arrow, label: string): ArrowStep => ({
  kind: 'arrow',
  from,
  arrow: how,
  label,
});

export function stepOf(entry: Entry): Step | undefined {
  switch (entry.kind) {
    case 'sent': {
      const how = entry.method === undefined ? 'response' : 'request';
      return arrow('page', how, messageLabel(entry.method, messageOf(entry)));
    }
    case 'received': {
      const how = entry.method === undefined ? 'response' : 'request';
      return {
        ...arrow('server', how, messageLabel(entry.method, messageOf(entry))),
        ...(entry.replayed && { isReplayed: true }),
        ...(entry.method?.startsWith('notifications/') === true && { isNotification: true }),
      };
    }
    case 'http':
      return httpStep(entry);
    case 'duplicate':
      return arrow('server', 'lost', `event ${entry.eventId} again (duplicate, dropped)`);
    case 'malformed':
      return arrow('server', 'lost', 'event that can’t be read');
    case 'stream-end':
      return entry.how === 'broken' ? arrow('server', 'lost', 'connection lost') : undefined;
    case 'call':
      return callStep(entry.change);
    case 'session':
      return note('all', `New session (MCP ${entry.protocolVersion})`);
    case 'state':
      if (entry.state.name === 'connected' && entry.state.how !== 'fresh')
        return note('page', entry.state.how === 'resumed' ? 'Resumed' : 'Server restarted');
      return entry.state.name === 'disconnected' ? note('page', 'Disconnected') : undefined;
    case 'load':
    case 'era':
    case 'task':
    case 'question':
    case 'position':
    case 'auth':
    case 'app':
    case 'note':
      return undefined;
  }
}

/** The resume itself, and what was refused. Each other exchange shows by its messages. */
function httpStep({ method, status, requestHeaders }: Entry & { kind: 'http' }): Step | undefined {
  const cursor = requestHeaders['last-event-id'];
  if (status >= 400 && status !== 405) return arrow('server', 'lost', `HTTP ${status} to ${method}`);
  return method === 'GET' && cursor !== undefined
    ? arrow('page', 'request', `GET with Last-Event-ID ${cursor}`)
    : undefined;
}

function callStep({ name }: CallChange): Step | undefined {
  switch (name) {
    case 'lost':
    case 'cancelled':
    case 'expired':
      return note('page', `Call ${name}`);
    case 'unknown':
      return note('page', 'Outcome unknown');
    case 'background':
      return note('page', 'Call goes on in the background');
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
