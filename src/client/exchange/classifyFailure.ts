/** Decides what a status code or a thrown error means. Pure: one row of the table, one test. */
import type { Reason } from '../../log/reasons/reason.ts';

export type FailedRequest =
  | 'initialize'
  /** The question which way of the protocol the server speaks. */
  | 'probe'
  /** The first message after the handshake. */
  | 'initialized'
  /** Any other POST. */
  | 'post'
  /** The question "is this session still there?" */
  | 'ping'
  /** A GET, with or without a position. */
  | 'stream';

export type Outcome =
  | { readonly kind: 'status'; readonly status: number; readonly body: string; readonly contentType?: string }
  /** `fetch` threw: no server, no network, or an answer that the browser withholds (CORS). */
  | { readonly kind: 'threw'; readonly why: string };

export interface FailureContext {
  readonly request: FailedRequest;
  /** Has the server given this page a session id that it could read? */
  readonly hasSession: boolean;
  /** Was the server last found to speak 2026-07-28? */
  readonly isSessionless?: boolean;
  /** Tries of this request so far, this one included. */
  readonly attempt: number;
}

export type Verdict = { readonly reason: Reason } & (
  | {
      /**
       * `session-gone`: the server restarted, or the session expired. `check-session`: the status alone does not tell.
       * `no-answer`: the doctor must tell "unreachable" from "blocked".
       */
      readonly name: 'session-gone' | 'check-session' | 'unauthorized' | 'no-answer' | 'refused';
    }
  /** Ask again later. */
  | { readonly name: 'retry'; readonly pace: 'quick' | 'calm' }
);

const RETRIES_OF_503 = 4;

export function classifyFailure(outcome: Outcome, context: FailureContext): Verdict {
  if (outcome.kind === 'threw') {
    return { name: 'no-answer', reason: { code: 'no-answer', how: 'connection', text: outcome.why } };
  }
  const { status, body } = outcome;
  const { request, hasSession, attempt } = context;
  // A bridge has a new token with each start, unless it is given one.
  if (status === 403 && /token of this bridge/.test(body)) {
    return { name: 'unauthorized', reason: { code: 'bridge-token' } };
  }
  if (status === 401) return { name: 'unauthorized', reason: { code: 'unauthorized' } };
  if (status === 403) return { name: 'unauthorized', reason: { code: 'forbidden' } };
  if (request === 'initialized' && !hasSession && (status === 400 || status === 404)) {
    return { name: 'refused', reason: { code: 'session-id-hidden' } };
  }
  if (request === 'initialize') return refusedHandshake(outcome);
  if (request !== 'probe' && speaksOtherwise(outcome, context)) {
    return { name: 'session-gone', reason: { code: 'protocol-version-changed', how: 'session', status } };
  }
  // What the refusal of a stream means is decided by the stream machine.
  if (request === 'stream') return { name: 'check-session', reason: { code: 'stream-refused', status } };
  if (status === 404 && hasSession) return gone(status);
  if (status === 400 && hasSession && (request === 'ping' || /session|initiali[sz]ed/i.test(body))) {
    return gone(status);
  }
  if (status === 503 || status === 502 || status === 504) {
    return attempt < RETRIES_OF_503
      ? { name: 'retry', pace: 'calm', reason: { code: 'unavailable', status } }
      : gone(status);
  }
  if (status === 429) return { name: 'retry', pace: 'calm', reason: { code: 'rate-limited' } };
  return { name: 'refused', reason: { code: 'refused', status, ...excerpt(body) } };
}

/**
 * A server that was replaced by one of another revision: it refuses the revision by its code; or it asks a stateless
 * request for a session.
 */
function speaksOtherwise(
  { status, body }: Outcome & { kind: 'status' },
  { isSessionless = false }: FailureContext,
): boolean {
  if (status < 400 || status >= 500) return false;
  if (/"code"\s*:\s*-32022\b/.test(body)) return true;
  return (
    isSessionless && /session|initiali[sz]|protocol version/i.test(body) && !/"code"\s*:\s*-3202\d/.test(body)
  );
}

function gone(status: number): Verdict {
  return { name: 'session-gone', reason: { code: 'session-ended', how: 'forgotten', status } };
}

function refusedHandshake({ status, body, contentType }: Outcome & { kind: 'status' }): Verdict {
  if (status >= 500) {
    return { name: 'retry', pace: 'calm', reason: { code: 'handshake-failed', status, ...excerpt(body) } };
  }
  if (status === 0) return { name: 'refused', reason: { code: 'redirected' } };
  if (status >= 200 && status < 300) {
    return {
      name: 'refused',
      reason: { code: 'not-mcp', ...(contentType !== undefined && { contentType }) },
    };
  }
  return { name: 'refused', reason: { code: 'not-mcp', status, ...excerpt(body) } };
}

/** The server's own words, if they are words and few. */
function excerpt(body: string): { readonly text?: string } {
  const text = /"message"\s*:\s*"([^"]{1,200})"/.exec(body)?.[1] ?? (body.startsWith('<') ? '' : body.trim());
  return text === '' ? {} : { text: text.slice(0, 200) };
}
