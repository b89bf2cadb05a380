/** Where a call stands, for the app: the log's codes become the few that an app has to tell apart. Pure. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import { isObject, stringField } from '../../base/json.ts';
import type { Call as LoggedCall } from '../../log/state/call.ts';
import { codeOf, type Reason } from '../../log/reasons/reason.ts';
import type { CallError, CallState, Outcome } from './callTypes.ts';

type NoResultOf<Name> = Extract<Outcome, { readonly name: Name; readonly why: string }>;
type ReasonsOf<Name> = NoResultOf<Name>['reason'];
type Codes<Name> = Readonly<Record<string, ReasonsOf<Name>>>;

const LOST: Codes<'lost'> = {
  'no-replay': 'no-replay',
  'resume-refused': 'resume-refused',
  'resume-blocked': 'resume-refused',
  'stream-refused': 'resume-refused',
  'event-too-large': 'resume-refused',
  'task-unknown': 'task-gone',
  'too-many-rounds': 'input-limit',
  'secret-not-stored': 'secret-not-stored',
  'user-disconnected': 'disconnected',
};
const UNKNOWN: Codes<'unknown'> = {
  'no-event-id': 'no-event-id',
  'page-closed': 'no-event-id',
  'no-session': 'no-session',
};
const CANCELLED: Codes<'cancelled'> = {
  'user-cancelled': 'app',
  'timed-out': 'timeout',
  'user-declined': 'declined',
  reloaded: 'reload',
  'closed-is-cancelled': 'reload',
};

const SENTENCES: Readonly<Record<ReasonsOf<NoResultOf<string>['name']>, string>> = {
  'no-replay': 'The server doesn’t send event IDs, so the call can’t be resumed. The tool may have run.',
  'session-ended': 'The server ended the session, so the result can’t be retrieved. The tool may have run.',
  'resume-refused':
    'The server rejected the resume, so the result can’t be retrieved. The tool may have run.',
  'task-gone': 'The server no longer has the task of this call.',
  'input-limit': 'The server requested input too many times in a row.',
  'secret-not-stored': 'Secret arguments aren’t stored, so the call can’t continue after a reload.',
  disconnected: 'The session ended while the call was running.',
  'no-event-id': 'The page closed before the server sent an event ID. The tool may have run.',
  'no-session': 'The server has no sessions, so the call can’t be resumed. The tool may have run.',
  'no-response': 'The connection was lost before the server responded. The tool may have run.',
  app: 'The call was cancelled.',
  timeout: 'The call timed out and was cancelled.',
  declined: 'The call was cancelled because you declined the server’s request.',
  server: 'The server cancelled the call.',
  reload: 'Cancelled by the reload. On a stateless server, closing the stream cancels the call.',
  'task-ttl': 'The task expired, so its result is no longer available.',
};
const REFUSED = 'The server rejected the call before running it.';

/** A gateway's error says nothing about the tool behind it. */
const GATEWAY_ERROR = 500;

/** @param isRepeatable what is known of the tool by now: the list of tools may have come after the call began */
export function callStateOf(call: LoggedCall, isRepeatable = call.repeatable): CallState {
  switch (call.name) {
    case 'sending':
    case 'open':
    case 'needs-input':
      return { name: call.name };
    case 'settled':
      return isGatewayError(call)
        ? noResult({ ...call, repeatable: isRepeatable }, 'unknown', 'no-response')
        : settled(call);
    case 'lost':
      return noResult({ ...call, repeatable: isRepeatable }, 'lost', LOST[codeIn(call)] ?? 'session-ended');
    case 'unknown':
      return noResult(
        { ...call, repeatable: isRepeatable },
        'unknown',
        UNKNOWN[codeIn(call)] ?? 'no-response',
      );
    case 'cancelled':
      return noResult(
        { ...call, repeatable: isRepeatable },
        'cancelled',
        CANCELLED[codeIn(call)] ?? 'server',
      );
    case 'expired':
      return noResult({ ...call, repeatable: isRepeatable }, 'expired', 'task-ttl');
  }
}

export function isOutcome(state: CallState): state is Outcome {
  return state.name !== 'sending' && state.name !== 'open' && state.name !== 'needs-input';
}

function noResult<Name extends NoResultOf<string>['name']>(
  { repeatable, reason, settledAt = 0 }: LoggedCall,
  name: Name,
  code: ReasonsOf<Name>,
): Outcome {
  const wasRefused = reason?.so === 'not-run' || reason?.so === 'not-run-call-again';
  const why = wasRefused ? REFUSED : SENTENCES[code];
  const safeToRetry = wasRefused || repeatable;
  const outcome: object = { name, reason: code, why, safeToRetry, endedAt: settledAt };
  // The code is one of this name's: the parameter says so.
  return outcome as Outcome;
}

function settled({ result, error, reason, settledAt: endedAt = 0 }: LoggedCall): Outcome {
  if (error) return { name: 'settled', ok: false, error: errorOf(error, reason), endedAt };
  // The log keeps what the server sent: its shape is the server's promise.
  const answer = (result ?? { content: [] }) as CallToolResult;
  if (answer.isError !== true) return { name: 'settled', ok: true, result: answer, endedAt };
  return { name: 'settled', ok: false, error: { message: toolErrorText(answer) }, result: answer, endedAt };
}

function errorOf(error: NonNullable<LoggedCall['error']>, reason: Reason | undefined): CallError {
  const { code, message, data } = error;
  return {
    message: message ?? httpErrorText(code, reason),
    ...(code !== 0 && { code }),
    ...(data !== undefined && { data }),
  };
}

function httpErrorText(status: number, reason: Reason | undefined): string {
  if (reason?.so === 'not-run') return `${REFUSED} (HTTP ${status})`;
  return status === 0 ? 'The call wasn’t sent.' : `The server responded with HTTP ${status}.`;
}

/** What the tool itself says about its error. */
function toolErrorText({ content }: CallToolResult): string {
  const texts = (Array.isArray(content) ? content : []).flatMap((block: unknown) => {
    const text = isObject(block) && block['type'] === 'text' ? stringField(block, 'text') : undefined;
    return text === undefined ? [] : [text];
  });
  return texts.join('\n') || 'The tool reported an error.';
}

function isGatewayError({ reason }: LoggedCall): boolean {
  return reason?.code === 'http-error' && reason.status >= GATEWAY_ERROR;
}

const codeIn = ({ reason }: LoggedCall): string => (reason && codeOf(reason)) ?? '';
