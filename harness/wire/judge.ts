/** Judges a page by what it did on the wire: every rule, how binding it is, and where the standard says so. Pure. */
import type { WireExchange } from './model.ts';
import { answersOnce, answersPing, noTokenInUrl, requestHeaders, taskKept } from './rules/messageRules.ts';
import { isStatelessVersion, type Breach, type Case, type Rule } from './rules/rule.ts';
import type { ClientRule } from './names.ts';
import {
  newAfter404,
  noCancel,
  noDelete,
  oneSession,
  sessionHeader,
  uniqueIds,
  versionHeader,
} from './rules/sessionRules.ts';
import { lastEvent, responseDelivered, resumesStream, retryDelay, runsOnce } from './rules/streamRules.ts';

export type Level = 'must' | 'should' | 'advice';

export interface Finding extends Breach {
  readonly rule: ClientRule;
  readonly level: Level;
  readonly clause?: string;
  readonly exchange?: WireExchange | undefined;
}

interface RankedRule {
  readonly check: Rule;
  readonly level: Level;
  readonly clause?: string;
}

/** In the order in which a reader should hear of them: causes before what follows from them. */
export const RULES: Readonly<Record<ClientRule, RankedRule>> = {
  'runs-once': { check: runsOnce, level: 'must', clause: '2025-11-25, Sending Messages to the Server, 6' },
  'no-delete': { check: noDelete, level: 'should', clause: '2025-11-25, Session Management, 5' },
  'no-cancel': { check: noCancel, level: 'should', clause: '2025-11-25, Cancellation' },
  'one-session': { check: oneSession, level: 'should', clause: '2025-11-25, Session Management, 2' },
  'session-header': { check: sessionHeader, level: 'must', clause: '2025-11-25, Session Management, 2' },
  'version-header': { check: versionHeader, level: 'must', clause: '2025-11-25, Protocol Version Header' },
  'unique-ids': { check: uniqueIds, level: 'must', clause: '2025-11-25, Base Protocol, Requests' },
  'new-after-404': { check: newAfter404, level: 'must', clause: '2025-11-25, Session Management, 4' },
  'resumes-stream': {
    check: resumesStream,
    level: 'should',
    clause: '2025-11-25, Resumability and Redelivery, 2',
  },
  'last-event': { check: lastEvent, level: 'should', clause: '2025-11-25, Resumability and Redelivery, 2' },
  'retry-delay': {
    check: retryDelay,
    level: 'must',
    clause: '2025-11-25, Sending Messages to the Server, 6',
  },
  'task-kept': { check: taskKept, level: 'should', clause: '2025-11-25, Tasks' },
  'answers-once': { check: answersOnce, level: 'must', clause: '2025-11-25, Base Protocol, Responses' },
  'answers-ping': { check: answersPing, level: 'must', clause: '2025-11-25, Ping' },
  'request-headers': { check: requestHeaders, level: 'must', clause: '2026-07-28, Request Metadata' },
  'no-token-in-url': {
    check: noTokenInUrl,
    level: 'must',
    clause: '2025-11-25, Authorization, Token Requirements',
  },
  'response-delivered': { check: responseDelivered, level: 'must' },
};

export function judge(given: Case): readonly Finding[] {
  return Object.entries(RULES).flatMap(([name, { check, level, clause }]) => {
    const breach = check(given);
    const rule = name as ClientRule;
    return breach
      ? [{ ...breach, rule, level: levelOf(rule, level, given), ...(clause !== undefined && { clause }) }]
      : [];
  });
}

/** With 2026-07-28 a reload cancels the call, and a client repeats it as a new request. */
function levelOf(rule: ClientRule, level: Level, { trace }: Case): Level {
  return rule === 'runs-once' && isStatelessVersion(trace.protocolVersion) ? 'advice' : level;
}
