/** Rules about the session: it is continued, named in every request, and not ended by a page that closes. Pure. */
import { stringField, objectField } from '../../../src/base/json.ts';
import { versionOf } from '../callTrace.ts';
import { metaVersionOf, requestIdOf, sessionOf } from '../classify.ts';
import type { Recording, WireExchange } from '../model.ts';
import {
  isBrowserRepeat,
  isSameLine,
  nameOfLoad,
  saysSessionIsOver,
  sessionEndedAt,
  shortId,
  sinceInterruption,
  type Rule,
} from './rule.ts';

/** No second `initialize` while the session is alive. */
export const oneSession: Rule = ({ recording, trace: { sessionId, post }, interruptions }) => {
  const [first] = interruptions;
  if (sessionId === undefined || !first) return undefined;
  const endedAt = sessionEndedAt(recording, sessionId);
  const again = recording.exchanges.find(
    (one) =>
      one.kind === 'initialize' &&
      one.server === post.server &&
      one.isForwarded &&
      one.at >= first.at &&
      one.at < endedAt &&
      isSameLine(one.page, post.page),
  );
  if (!again) return undefined;
  const id = shortId(sessionId);
  return {
    expected: `${nameOfLoad(again.page)} continues session ${id}`,
    received: `${nameOfLoad(again.page)} sent initialize${sinceInterruption(again, interruptions)}, and session ${id} was alive`,
    fix: 'Store the session ID and the protocol version when initialize responds. After a reload, send them with the next request instead of initialize.',
    exchange: again,
  };
};

const NEEDS_NO_SESSION = new Set(['initialize', 'discover', 'preflight']);

/** The session that pages of a line had at this time. */
function sessionBefore({ exchanges }: Recording, request: WireExchange): WireExchange | undefined {
  return exchanges.findLast(
    (one) =>
      one.kind === 'initialize' &&
      one.server === request.server &&
      one.status === 200 &&
      (one.headAt ?? Infinity) <= request.at &&
      isSameLine(one.page, request.page),
  );
}

/** Some clients look with HEAD whether a server is there. */
const MCP_METHODS = ['GET', 'POST', 'DELETE'];

const isOfSession = (one: WireExchange): boolean =>
  MCP_METHODS.includes(one.method) &&
  !NEEDS_NO_SESSION.has(one.kind) &&
  metaVersionOf(one.message) === undefined &&
  one.isForwarded;

/** `Mcp-Session-Id` on every request after `initialize`. */
export const sessionHeader: Rule = ({ recording, trace }) => {
  const bare = recording.exchanges.find((one) => {
    if (one.server !== trace.post.server || !isOfSession(one)) return false;
    const session = sessionBefore(recording, one);
    return (
      session?.responseHeaders['mcp-session-id'] !== undefined &&
      one.requestHeaders['mcp-session-id'] === undefined
    );
  });
  if (!bare) return undefined;
  return {
    expected: 'mcp-session-id on every request after initialize',
    received: `${nameOfLoad(bare.page)} sent ${nameOfRequest(bare)} without mcp-session-id`,
    fix: 'Send the session ID that initialize returned with every later request, GET and DELETE included.',
    exchange: bare,
  };
};

const FIRST_WITH_HEADER = '2025-06-18';

/** `MCP-Protocol-Version` on every request after `initialize`. */
export const versionHeader: Rule = ({ recording, trace }) => {
  const wrong = recording.exchanges.find((one) => {
    if (one.server !== trace.post.server || !isOfSession(one)) return false;
    const version = agreedVersion(recording, one);
    return (
      version !== undefined &&
      version >= FIRST_WITH_HEADER &&
      one.requestHeaders['mcp-protocol-version'] !== version
    );
  });
  if (!wrong) return undefined;
  const version = agreedVersion(recording, wrong) ?? '';
  const sent = wrong.requestHeaders['mcp-protocol-version'];
  return {
    expected: `mcp-protocol-version: ${version} on every request after initialize`,
    received: `${nameOfLoad(wrong.page)} sent ${nameOfRequest(wrong)} ${sent === undefined ? 'without it' : `with ${sent}`}`,
    fix: 'Store the protocol version with the session ID, and send both with every request after a reload.',
    exchange: wrong,
  };
};

function agreedVersion(recording: Recording, request: WireExchange): string | undefined {
  const session = sessionBefore(recording, request);
  return (
    session && versionOf(recording, { ...request, message: {} }, sessionOf(request) ?? sessionOf(session))
  );
}

/** No request ID twice in a session. */
export const uniqueIds: Rule = ({ recording, trace: { post } }) => {
  const seen = new Map<string, WireExchange>();
  for (const one of recording.exchanges) {
    const id = requestIdOf(one.message);
    const session = sessionOf(one);
    const isRequest = stringField(one.message, 'method') !== undefined;
    if (
      one.server !== post.server ||
      !one.isForwarded ||
      !isRequest ||
      id === undefined ||
      session === undefined
    )
      continue;
    const key = `${session} ${typeof id} ${id}`;
    const before = seen.get(key);
    if (before && !isBrowserRepeat(recording, one, before)) {
      return {
        expected: `request ID ${id} once in session ${shortId(session)}`,
        received: `${nameOfLoad(one.page)} sent ${nameOfRequest(one)} with request ID ${id}, and ${nameOfLoad(before.page)} had sent ${nameOfRequest(before)} with it`,
        fix: 'Continue counting where the old page stopped, or use random request IDs. A new client of the SDK counts from 0.',
        exchange: one,
      };
    }
    seen.set(key, one);
  }
  return undefined;
};

/** The session isn't ended while the call is open. */
export const noDelete: Rule = ({ recording, trace: { sessionId, post, response } }) => {
  const endedAt = response?.deliveredAt ?? Infinity;
  const sent = recording.exchanges.find(
    (one) =>
      one.kind === 'delete' &&
      sessionId !== undefined &&
      one.requestHeaders['mcp-session-id'] === sessionId &&
      one.at >= post.at &&
      one.at <= endedAt,
  );
  if (!sent || sessionId === undefined) return undefined;
  return {
    expected: `session ${shortId(sessionId)} stays, because its call is open`,
    received: `${nameOfLoad(sent.page)} sent DELETE${sent.onLeave ? ' while it closed' : ''}`,
    fix: "Don't end the session in pagehide, beforeunload or when a component unmounts. End it when the user disconnects.",
    exchange: sent,
  };
};

/** The call isn't cancelled because its page closes. */
export const noCancel: Rule = ({
  recording,
  trace: { sessionId, post, requestId, response },
  interruptions,
}) => {
  const from = interruptions[0]?.at ?? Infinity;
  const endedAt = response?.deliveredAt ?? Infinity;
  const sent = recording.exchanges.find(
    (one) =>
      one.kind === 'cancel' &&
      one.server === post.server &&
      sessionOf(one) === sessionId &&
      objectField(one.message, 'params')?.['requestId'] === requestId &&
      (one.onLeave || one.at >= from) &&
      one.at <= endedAt,
  );
  if (!sent) return undefined;
  return {
    expected: 'no notifications/cancelled, because the user did not cancel',
    received: `${nameOfLoad(sent.page)} cancelled request ID ${requestId}${sent.onLeave ? ' while it closed' : ''}`,
    fix: "Don't cancel calls in pagehide, beforeunload or when a component unmounts.",
    exchange: sent,
  };
};

/** Requests that were sent before the 404 could be read are no fault. */
const NOTICED_MS = 1000;

/** After a 404, a new session is started without the old ID. */
export const newAfter404: Rule = ({ recording, trace: { post } }) => {
  for (const refused of recording.exchanges) {
    const id = refused.requestHeaders['mcp-session-id'];
    if (
      refused.server !== post.server ||
      refused.status !== 404 ||
      id === undefined ||
      refused.kind === 'delete'
    )
      continue;
    const refusedAt = refused.headAt ?? refused.at;
    const wrong = recording.exchanges.find(
      (one) =>
        one.index > refused.index &&
        one.kind !== 'preflight' &&
        one.kind !== 'delete' &&
        one.requestHeaders['mcp-session-id'] === id &&
        (one.kind === 'initialize' ? one.at > refusedAt : one.at > refusedAt + NOTICED_MS),
    );
    if (!wrong || !saysSessionIsOver(refused)) continue;
    return {
      expected: `initialize without a session ID, because session ${shortId(id)} got HTTP 404`,
      received: `${nameOfLoad(wrong.page)} sent ${nameOfRequest(wrong)} with session ${shortId(id)}`,
      fix: 'When a request with a session ID gets 404, remove the ID and start a new session with initialize.',
      exchange: wrong,
    };
  }
  return undefined;
};

/** "GET with Last-Event-ID", "tools/call" */
function nameOfRequest({ kind, method, message }: WireExchange): string {
  if (kind === 'resume') return 'GET with Last-Event-ID';
  return stringField(message, 'method') ?? (kind === 'answer' ? 'a response' : method);
}
