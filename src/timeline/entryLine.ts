/** One entry as one line of the list: what it is, told in words and by a shape. */
import { asText } from '../base/asText.ts';
import { assertNever } from '../base/assertNever.ts';
import { isObject, numberField, objectField, stringField, type JsonObject } from '../base/json.ts';
import { bytes, duration } from '../base/words.ts';
import type { ConnectionState } from '../log/connectionState.ts';
import { STANDALONE, type Entry, type QuestionChange } from '../log/entry.ts';
import { messageOf } from '../log/log.ts';
import { reasonOf } from '../log/reason.ts';
import { reasonText } from '../log/reasonText.ts';
import { RAN_TWICE } from '../log/runSign.ts';
import { costText } from '../log/stateText.ts';
import { errorMessageOf } from '../log/told.ts';
import { isRefused } from './refusal.ts';
import { markOf, type Mark, type Shape } from './shape.ts';

export interface EntryLine {
  readonly mark: Mark;
  readonly kind: string;
  readonly label: string;
  /** A little of what it says. */
  readonly gist: string;
  readonly stream: string;
  readonly tone: 'plain' | 'look' | 'bad';
}

/** A bigger message is not parsed for one line. */
const PARSED_CHARS = 20_000;
const GIST_CHARS = 160;

export function describeEntry(entry: Entry): EntryLine {
  const stream = 'stream' in entry ? shortStream(entry.stream) : '';
  const line = (kind: string, label: string, more: Partial<EntryLine> = {}): EntryLine => ({
    mark: markOf(entry),
    kind,
    label,
    gist: '',
    tone: 'plain',
    stream,
    ...more,
  });
  switch (entry.kind) {
    case 'load':
      return line('load', `Load ${entry.load}`, {
        gist: entry.reason === 'opened' ? 'the page was opened' : 'this tab took over',
      });
    case 'state':
      return line('state', entry.state.name, { gist: wordsOf(entry.state), tone: toneOf(entry.state) });
    case 'session':
      return line('session', entry.serverName, { gist: `speaks MCP ${entry.protocolVersion}` });
    case 'era':
      return line('era', entry.era, { gist: reasonText(entry.reason) });
    case 'task':
      return line('task', entry.change.name, {
        mark: 'lost',
        gist: reasonText(entry.change.reason),
        tone: 'look',
      });
    case 'call':
      return describeCall(entry, line);
    case 'question':
      return describeQuestion(entry.change, line);
    case 'sent':
      return line('sent', entry.method ?? 'response', { gist: gistOf(entry) });
    case 'received':
      return describeReceived(entry, line);
    case 'position':
      return line('position', entry.eventId);
    case 'duplicate':
      return line('duplicate', 'dropped', { gist: `event ${entry.eventId} was here already` });
    case 'malformed':
      return line('unreadable', reasonText(entry.reason), {
        gist: entry.excerpt.slice(0, GIST_CHARS),
        tone: 'bad',
      });
    case 'http':
      return line('http', `${entry.method} ${entry.status}`, {
        gist: duration(entry.durationMs),
        tone: isRefused(entry) ? 'look' : 'plain',
      });
    case 'stream-end':
      return line('stream', entry.how, {
        gist: reasonText(entry.reason),
        tone: entry.how === 'broken' || entry.how === 'refused' ? 'look' : 'plain',
      });
    case 'auth':
      return line('auth', entry.step, {
        gist: entry.reason ? reasonText(entry.reason) : authGist(entry),
        tone: entry.reason ? 'look' : 'plain',
      });
    case 'app':
      return line('app', appLabel(entry), {
        gist: cut(entry.appText ?? entry.uri ?? ''),
        stream: shortStream(entry.callId),
        tone: entry.step === 'finding' ? 'look' : 'plain',
      });
    case 'note':
      return line('note', entry.level, {
        gist: reasonText(entry.reason),
        tone: entry.level === 'info' ? 'plain' : 'look',
      });
    default:
      return assertNever(entry);
  }
}

/** What is known of an entry that was not read yet. */
export function describeOutline(seq: number, shape: Shape | undefined): EntryLine {
  return {
    mark: shape?.mark ?? 'plain',
    kind: shape?.kind ?? '',
    label: shape?.method ?? '',
    gist: `reading entry ${seq}…`,
    stream: shape ? shortStream(shape.stream) : '',
    tone: 'plain',
  };
}

/** Why it is as it is, where that is not plain to see. */
export function whyOf(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'duplicate':
      return `The server sent event ${entry.eventId} again. It was stored before, so it is shown once and dropped here.`;
    case 'call':
      return entry.change.name === 'failed' ? undefined : sentenceOf(entry);
    case 'malformed':
    case 'question':
    case 'stream-end':
      return sentenceOf(entry);
    case 'received':
      return entry.replayed
        ? 'The page was away when the server sent it. The server replayed it when the stream was resumed.'
        : undefined;
    default:
      return undefined;
  }
}

function sentenceOf(entry: Entry): string | undefined {
  const reason = reasonOf(entry);
  return reason && reasonText(reason);
}

type Line = (kind: string, label: string, more?: Partial<EntryLine>) => EntryLine;

function describeQuestion(change: QuestionChange, line: Line): EntryLine {
  const { name } = change;
  if (name === 'task') return line('question', name, { gist: `TTL ${duration(change.ttlMs)}` });
  return line('question', name, {
    gist: name === 'completed' ? 'A person says that it is done.' : reasonText(change.reason),
    ...(name === 'expired' && { tone: 'look' }),
  });
}

function describeCall({ callId, change }: Entry & { kind: 'call' }, line: Line): EntryLine {
  const stream = shortStream(callId);
  switch (change.name) {
    case 'sending':
      return line('call', change.tool, { gist: cut(JSON.stringify(change.args)), stream });
    case 'open':
    case 'background':
    case 'forgotten':
      return line('call', change.name, { stream });
    case 'retrying':
      return line('call', 'asked again', { gist: 'with the answers', stream });
    case 'ran-again':
      return line('call', 'ran again', {
        gist: `${RAN_TWICE} ${reasonText(change.reason)}`,
        tone: 'look',
        stream,
      });
    case 'failed':
      return line('call', 'failed', {
        gist: errorMessageOf(change.error, change.reason),
        tone: 'bad',
        stream,
      });
    case 'lost':
    case 'expired':
      return line('call', change.name, { gist: reasonText(change.reason), tone: 'bad', stream });
    case 'unknown':
      return line('call', 'unknown', { gist: reasonText(change.reason), tone: 'look', stream });
    case 'cancelled':
      return line('call', 'cancelled', { gist: reasonText(change.reason), stream });
    default:
      return assertNever(change);
  }
}

/** An arrow tells the two directions apart: `→` is to the view. */
function appLabel({ step, method = 'response', finding, more }: Entry & { kind: 'app' }): string {
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
      return finding ?? step;
    default:
      return assertNever(step);
  }
}

function authGist({ method, status, url = '' }: Entry & { kind: 'auth' }): string {
  return [method, status, url].filter((part) => part !== undefined && part !== '').join(' ');
}

function describeReceived(entry: Entry & { kind: 'received' }, line: Line): EntryLine {
  return line(entry.replayed ? 'replayed' : 'received', entry.method ?? 'response', { gist: gistOf(entry) });
}

function gistOf(entry: Entry & { kind: 'sent' | 'received' }): string {
  if (entry.raw.length > PARSED_CHARS) return bytes(entry.raw.length);
  const message = messageOf(entry) ?? {};
  const params = objectField(message, 'params');
  return cut(params ? gistOfParams(params) : gistOfAnswer(message));
}

function gistOfParams(params: JsonObject): string {
  const progress = numberField(params, 'progress');
  if (progress !== undefined) {
    const total = numberField(params, 'total');
    const text = stringField(params, 'message');
    return [total === undefined ? String(progress) : `${progress}/${total}`, text]
      .filter(Boolean)
      .join(' · ');
  }
  if ('data' in params) return `${stringField(params, 'level') ?? ''} ${asText(params['data'])}`.trim();
  if ('arguments' in params) return `${stringField(params, 'name') ?? ''} ${asText(params['arguments'])}`;
  return stringField(params, 'message') ?? asText(params);
}

function gistOfAnswer(message: JsonObject): string {
  const error = objectField(message, 'error');
  if (error) return `error ${numberField(error, 'code') ?? ''}: ${stringField(error, 'message') ?? ''}`;
  const result = message['result'];
  if (!isObject(result)) return '';
  const content: unknown = result['content'];
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return stringField(first, 'text') ?? asText(result);
}

function cut(text: string): string {
  return text.length > GIST_CHARS ? `${text.slice(0, GIST_CHARS)}…` : text;
}

/** Most streams are named by ULIDs, whose ends differ. */
function shortStream(stream: string): string {
  if (stream === STANDALONE) return 'GET';
  return stream.length > 8 ? stream.slice(-4) : stream;
}

function wordsOf(state: ConnectionState): string {
  if (state.name === 'connected') return costText(state) ?? state.how;
  return 'reason' in state ? reasonText(state.reason) : '';
}

function toneOf(state: ConnectionState): EntryLine['tone'] {
  if (state.name === 'failed') return 'bad';
  return state.name === 'reconnecting' ? 'look' : 'plain';
}
