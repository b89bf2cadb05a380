/** An entry without what messages say. Each kind names what stays, so that a new field is left out until it is named. */
import { assertNever } from '../../base/assertNever.ts';
import type { ConnectionState, ReturnCost } from '../../log/connectionState.ts';
import type { CallChange, Entry, QuestionChange } from '../../log/entry.ts';
import type { Reason } from '../../log/reason.ts';
import type { RunReason } from '../../log/runSign.ts';
import { bareFacts, bareReason } from './bareReason.ts';

/** In the place of a text that the format requires. */
const LEFT_OUT = '‹left out›';

/** Headers whose values come from the transport, not from a message. */
const KEPT_HEADERS = new Set([
  'accept',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-protocol-version',
  'mcp-session-id',
  'retry-after',
]);

export function bare(entry: Entry): Entry {
  const { seq, at, load, kind } = entry;
  const stamp = { seq, at, load };
  switch (kind) {
    case 'load': {
      const { reason, pageLeftAt } = entry;
      return { ...stamp, kind, reason, ...(pageLeftAt !== undefined && { pageLeftAt }) };
    }
    case 'state':
      return { ...stamp, kind, state: bareState(entry.state) };
    case 'session':
      return { ...stamp, kind, protocolVersion: version(entry.protocolVersion), serverName: LEFT_OUT };
    case 'era': {
      const { era, transport } = entry;
      const protocolVersion = version(entry.protocolVersion);
      const reason = bareReason(entry.reason);
      return { ...stamp, kind, era, protocolVersion, ...(transport && { transport }), reason };
    }
    case 'task': {
      const { taskId, callId } = entry;
      return {
        ...stamp,
        kind,
        taskId,
        callId,
        change: { name: 'ended', reason: bareReason(entry.change.reason) },
      };
    }
    case 'call':
      return { ...stamp, kind, callId: entry.callId, change: bareCall(entry.change) };
    case 'question':
      return { ...stamp, kind, requestId: entry.requestId, change: bareQuestion(entry.change) };
    case 'sent':
    case 'received': {
      const { method, replayed } = entry;
      const named = method === undefined ? {} : { method };
      const raw = JSON.stringify({ jsonrpc: '2.0', ...named });
      return { ...stamp, kind, ...idsOf(entry), ...(replayed && { replayed }), ...named, raw };
    }
    case 'position':
    case 'duplicate':
      return { ...stamp, kind, ...idsOf(entry), eventId: entry.eventId };
    case 'malformed':
      return { ...stamp, kind, ...idsOf(entry), reason: bareReason(entry.reason), excerpt: '' };
    case 'http': {
      const { method, status, durationMs } = entry;
      const url = withoutQuery(entry.url);
      const requestHeaders = bareHeaders(entry.requestHeaders);
      const responseHeaders = bareHeaders(entry.responseHeaders);
      return {
        ...stamp,
        kind,
        ...idsOf(entry),
        method,
        url,
        status,
        durationMs,
        requestHeaders,
        responseHeaders,
      };
    }
    case 'stream-end':
      return { ...stamp, kind, ...idsOf(entry), how: entry.how, ...bareOptional(entry.reason) };
    case 'auth': {
      const { step, method, status } = entry;
      return {
        ...stamp,
        kind,
        step,
        ...(method !== undefined && { method }),
        ...(status !== undefined && { status }),
        ...bareOptional(entry.reason),
      };
    }
    case 'app': {
      const { callId, view, step, method, more, finding, origin } = entry;
      return {
        ...stamp,
        kind,
        callId,
        view,
        step,
        ...(method !== undefined && { method }),
        ...(more !== undefined && { more }),
        ...(finding && { finding }),
        ...(origin && { origin }),
      };
    }
    case 'note':
      return { ...stamp, kind, level: entry.level, reason: bareReason(entry.reason) };
    default:
      return assertNever(entry);
  }
}

export function withoutQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : LEFT_OUT;
}

function bareState(state: ConnectionState): ConnectionState {
  switch (state.name) {
    case 'idle':
      return { name: state.name };
    case 'connecting':
      return { name: state.name, url: withoutQuery(state.url) };
    case 'authorizing':
      return { name: state.name, reason: bareReason(state.reason), ask: state.ask };
    case 'connected': {
      const { name, how, recovered, reason, cost } = state;
      return {
        name,
        how,
        ...(recovered !== undefined && { recovered }),
        ...bareOptional(reason),
        ...(cost && { cost: bareCost(cost) }),
      };
    }
    case 'reconnecting': {
      const { name, attempt, retryAt } = state;
      return { name, attempt, retryAt, reason: bareReason(state.reason) };
    }
    case 'disconnected':
      return { name: state.name, reason: bareReason(state.reason) };
    case 'failed':
      return { name: state.name, reason: bareReason(state.reason) };
    default:
      return assertNever(state);
  }
}

function bareCall(change: CallChange): CallChange {
  switch (change.name) {
    case 'sending': {
      const { name, method, timeoutMs, backgroundMs, repeatable, era, appOf } = change;
      return {
        name,
        ...(method && { method }),
        // The name of a tool or a prompt stays. A resource has none: its URI is an argument.
        tool: method === 'resources/read' ? LEFT_OUT : change.tool,
        args: {},
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(backgroundMs !== undefined && { backgroundMs }),
        repeatable,
        ...(era && { era }),
        ...(appOf !== undefined && { appOf }),
      };
    }
    case 'open':
    case 'retrying':
    case 'background':
    case 'forgotten':
      return { name: change.name };
    case 'ran-again':
      return { ...change, reason: bareReason(change.reason) as RunReason };
    case 'cancelled':
    case 'lost':
    case 'unknown':
    case 'expired':
      return { name: change.name, reason: bareReason(change.reason) };
    case 'failed':
      return {
        name: change.name,
        error: { code: change.error.code },
        reason: bareReason(change.reason),
      };
    default:
      return assertNever(change);
  }
}

function bareQuestion(change: QuestionChange): QuestionChange {
  switch (change.name) {
    case 'answering':
    case 'answered':
      return { name: change.name, ...bareOptional(change.reason) };
    case 'completed':
      return { name: change.name };
    case 'task':
      return { name: change.name, taskId: LEFT_OUT, ttlMs: change.ttlMs };
    case 'expired':
    case 'cancelled':
      return { name: change.name, reason: bareReason(change.reason) };
    default:
      return assertNever(change);
  }
}

function bareOptional(reason: Reason | undefined): { readonly reason?: Reason } {
  return reason ? { reason: bareReason(reason) } : {};
}

/** Its counts stay, and what the server speaks. */
function bareCost(cost: ReturnCost): ReturnCost {
  const { era } = cost;
  return {
    ...(bareFacts(cost) as ReturnCost),
    ...(era && {
      era: { ...era, version: version(era.version), oldVersion: version(era.oldVersion) },
    }),
  };
}

function bareHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase())));
}

function idsOf({ stream, eventId, callId }: Ids): Ids {
  return { stream, ...(eventId !== undefined && { eventId }), ...(callId !== undefined && { callId }) };
}

interface Ids {
  readonly stream: string;
  readonly eventId?: string;
  readonly callId?: string;
}

/** Protocol versions are dates. Anything else is text of the server. */
function version(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : LEFT_OUT;
}
