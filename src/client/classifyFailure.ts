/** Decides what a status code or a thrown error means. Pure: one row of the table, one test. */
import type { Cause } from '../log/reason.ts';

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
  readonly isStateless?: boolean;
  /** Tries of this request so far, this one included. */
  readonly attempt: number;
}

export type Verdict =
  /** The server does not know the session: it restarted, or the session expired. */
  | ({ readonly name: 'session-gone' } & Cause)
  /** Ask again later. */
  | ({ readonly name: 'retry'; readonly pace: 'quick' | 'calm' } & Cause)
  /** The status alone does not tell: ask the server whether the session is alive. */
  | ({ readonly name: 'check-session' } & Cause)
  | ({ readonly name: 'unauthorized'; readonly fix: string } & Cause)
  /** The doctor must tell "unreachable" from "blocked". */
  | ({ readonly name: 'no-answer' } & Cause)
  | ({ readonly name: 'refused'; readonly fix: string } & Cause);

const RETRIES_OF_503 = 4;

export function classifyFailure(outcome: Outcome, context: FailureContext): Verdict {
  if (outcome.kind === 'threw') return { name: 'no-answer', reason: 'no-answer', why: outcome.why };
  const { status, body } = outcome;
  const { request, hasSession, attempt } = context;
  if (status === 403 && /token of this bridge/.test(body)) return wrongBridgeToken();
  if (status === 401 || status === 403) return unauthorized(status);
  if (request === 'initialized' && !hasSession && (status === 400 || status === 404)) return hiddenSession();
  if (request === 'initialize') return refusedHandshake(outcome);
  if (request !== 'probe' && speaksOtherwise(outcome, context)) return otherRevision(status);
  // What the refusal of a stream means is decided by the stream machine.
  if (request === 'stream')
    return {
      name: 'check-session',
      reason: 'stream-refused',
      why: `The server refused the stream (${status}).`,
    };
  if (status === 404 && hasSession) return gone(status);
  if (status === 400 && hasSession && (request === 'ping' || /session|initiali[sz]ed/i.test(body))) {
    return gone(status);
  }
  if (status === 503 || status === 502 || status === 504) {
    return attempt < RETRIES_OF_503
      ? {
          name: 'retry',
          reason: 'unavailable',
          why: `The server is not available at the moment (${status}).`,
          pace: 'calm',
        }
      : gone(status);
  }
  if (status === 429)
    return {
      name: 'retry',
      reason: 'rate-limited',
      why: 'The server asks for patience (429).',
      pace: 'calm',
    };
  return {
    name: 'refused',
    reason: 'refused',
    why: `The server refused the request (${status}${excerpt(body)}).`,
    fix: 'Look at the exchange in the timeline: the body of the answer says what the server expected.',
  };
}

/**
 * A server that was replaced by one of another revision: it refuses the revision by its code; or it asks a stateless
 * request for a session.
 */
function speaksOtherwise(
  { status, body }: Outcome & { kind: 'status' },
  { isStateless = false }: FailureContext,
): boolean {
  if (status < 400 || status >= 500) return false;
  if (/"code"\s*:\s*-32022\b/.test(body)) return true;
  return (
    isStateless && /session|initiali[sz]|protocol version/i.test(body) && !/"code"\s*:\s*-3202\d/.test(body)
  );
}

function otherRevision(status: number): Verdict {
  return {
    name: 'session-gone',
    reason: 'protocol-version-changed',
    why: `The server speaks another revision of the protocol now (${status}).`,
  };
}

function gone(status: number): Verdict {
  return {
    name: 'session-gone',
    reason: 'session-ended',
    why: `The server does not know this session any more (${status}).`,
  };
}

function unauthorized(status: number): Verdict {
  return {
    name: 'unauthorized',
    reason: status === 401 ? 'unauthorized' : 'forbidden',
    why: status === 401 ? 'The server asks for authorization (401).' : 'The server forbids this (403).',
    fix:
      status === 401
        ? 'Give a bearer token for this server, then connect again.'
        : 'Check that the token has the rights for it, and that the server allows the origin of this page.',
  };
}

/** A bridge has a new token with each start, unless it is given one. */
function wrongBridgeToken(): Verdict {
  return {
    name: 'unauthorized',
    reason: 'bridge-token',
    why: 'The bridge rejected the token (HTTP 403).',
    fix: 'Open the link that the bridge printed when it started.',
  };
}

function hiddenSession(): Verdict {
  return {
    name: 'refused',
    reason: 'session-id-hidden',
    why: 'The server answered the handshake, but the browser hides its session id from this page.',
    fix: 'Add this header to every answer of the server: Access-Control-Expose-Headers: Mcp-Session-Id',
  };
}

function refusedHandshake({ status, body, contentType }: Outcome & { kind: 'status' }): Verdict {
  if (status >= 500) {
    return {
      name: 'retry',
      reason: 'handshake-failed',
      why: `The server answered the handshake with an error (${status}${excerpt(body)}).`,
      pace: 'calm',
    };
  }
  if (status === 0) {
    return {
      name: 'refused',
      reason: 'redirected',
      why: 'The server redirects to another address.',
      fix: 'Connect to the address that it redirects to.',
    };
  }
  if (status >= 200 && status < 300) {
    return {
      name: 'refused',
      reason: 'not-mcp',
      why: `Something answers here, but it does not speak MCP (${contentType ?? 'an empty answer'}).`,
      fix: 'Check the path: the endpoint of most servers ends in /mcp.',
    };
  }
  return {
    name: 'refused',
    reason: 'not-mcp',
    why: `No MCP server answers at this address (${status}${excerpt(body)}).`,
    fix: 'Check the path: the endpoint of most servers ends in /mcp.',
  };
}

/** The server's own words, if they are words and few. */
function excerpt(body: string): string {
  const text = /"message"\s*:\s*"([^"]{1,200})"/.exec(body)?.[1] ?? (body.startsWith('<') ? '' : body.trim());
  return text === '' ? '' : `: ${text.slice(0, 200)}`;
}
