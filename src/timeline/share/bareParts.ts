/** The parts of an entry without what messages say. Each names what stays, so that a new field is left out until it is named. */
import { assertNever } from '../../base/assertNever.ts';
import type { ConnectionState, ReturnCost } from '../../log/state/connectionState.ts';
import type { CallChange, QuestionChange } from '../../log/entry/entry.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { RunReason } from '../../log/state/runSign.ts';
import { bareFacts, bareReason } from './bareReason.ts';

/** In the place of a text that the format requires. */
export const LEFT_OUT = '‹left out›';

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

export function withoutQuery(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : LEFT_OUT;
}

export function bareState(state: ConnectionState): ConnectionState {
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

export function bareCall(change: CallChange): CallChange {
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

export function bareQuestion(change: QuestionChange): QuestionChange {
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

export function bareOptional(reason: Reason | undefined): { readonly reason?: Reason } {
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

export function bareHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.has(name.toLowerCase())));
}

export function idsOf({ stream, eventId, callId }: Ids): Ids {
  return { stream, ...(eventId !== undefined && { eventId }), ...(callId !== undefined && { callId }) };
}

interface Ids {
  readonly stream: string;
  readonly eventId?: string;
  readonly callId?: string;
}

/** Protocol versions are dates. Anything else is text of the server. */
export function version(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : LEFT_OUT;
}
