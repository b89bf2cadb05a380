/** What a rule looks at, and what it says of a page that breaks it. Types, and the facts that several rules need. Pure. */
import { objectField } from '../../../src/base/json.ts';
import { isSame } from '../containsArgs.ts';
import type { CallTrace } from '../callTrace.ts';
import { requestIdOf, sessionOf } from '../classify.ts';
import type { Interruption, PageLoad, Recording, WireExchange } from '../model.ts';

/** A page with one call that was interrupted. */
export interface Case {
  readonly recording: Recording;
  readonly trace: CallTrace;
  /** Calls that a test has asked for: none of them is a second run of another one. */
  readonly claimed: readonly WireExchange[];
  /** Interruptions of this call while it was open. */
  readonly interruptions: readonly Interruption[];
}

export interface Breach {
  readonly expected: string;
  readonly received: string;
  readonly fix: string;
  readonly exchange?: WireExchange | undefined;
}

export type Rule = (given: Case) => Breach | undefined;

export function caseOf(recording: Recording, trace: CallTrace, claimed: readonly WireExchange[]): Case {
  const endedAt = trace.response?.deliveredAt ?? Infinity;
  const { page } = trace.post;
  const interruptions = recording.interruptions.filter(
    ({ at, backAt, line }) =>
      at <= endedAt &&
      backAt >= trace.post.at &&
      (line === undefined || page === undefined || line === page.line),
  );
  return { recording, trace, claimed, interruptions };
}

export const shortId = (id: string): string => (id.length > 8 ? `${id.slice(0, 4)}…` : id);

export const nameOfLoad = (page: PageLoad | undefined): string =>
  page ? `page load ${page.load}${page.line > 1 ? ` of tab ${page.tab}` : ''}` : 'a page';

/** "61 ms after the reload" */
export function sinceInterruption({ at }: WireExchange, interruptions: readonly Interruption[]): string {
  const last = interruptions.findLast((one) => one.at <= at);
  if (!last) return '';
  const words = {
    reload: 'reload',
    reopen: 'new tab',
    crash: 'crash',
    offline: 'outage',
    cut: 'cut',
    restart: 'restart',
  };
  return ` ${Math.max(0, Math.round(at - last.backAt))} ms after the ${words[last.kind]}`;
}

/** Whether the same tabs sent both. */
export const isSameLine = (a: PageLoad | undefined, b: PageLoad | undefined): boolean =>
  a === undefined || b === undefined || a.line === b.line;

/** When pages could know that a session is over: by a 404, by their own DELETE, or because the server restarted. */
export function sessionEndedAt({ exchanges, interruptions }: Recording, sessionId: string): number {
  const ends = exchanges
    .filter((one) => one.requestHeaders['mcp-session-id'] === sessionId && saysSessionIsOver(one))
    .map(({ headAt, at }) => headAt ?? at);
  const restarts = interruptions.filter(({ kind }) => kind === 'restart').map(({ at }) => at);
  const begunAt = exchanges.find((one) => sessionOf(one) === sessionId)?.at ?? 0;
  return Math.min(Infinity, ...ends, ...restarts.filter((at) => at >= begunAt));
}

export const saysSessionIsOver = ({ kind, status, body = '' }: WireExchange): boolean =>
  status === 404 ||
  (status === 400 && /session/i.test(body)) ||
  (kind === 'delete' && status >= 200 && status < 300);

/** The same POST once more, because the connection closed before the response head. Browsers do this, not pages. */
export function isBrowserRepeat(recording: Recording, later: WireExchange, earlier: WireExchange): boolean {
  return (
    earlier.status === 0 &&
    earlier.end !== undefined &&
    earlier.end.at <= later.at + 5 &&
    isSame(earlier.message, later.message)
  );
}

/** Further calls of the same tool with the same arguments, that no test has asked for. */
export function secondRuns({ recording, trace, claimed }: Case): readonly WireExchange[] {
  const { post } = trace;
  const params = objectField(post.message, 'params');
  return recording.exchanges.filter((one) => {
    const other = objectField(one.message, 'params');
    const isRetry = other?.['inputResponses'] !== undefined || other?.['requestState'] !== undefined;
    return (
      one.index > post.index &&
      one.kind === 'call' &&
      one.server === post.server &&
      one.isForwarded &&
      !claimed.includes(one) &&
      !isRetry &&
      other?.['name'] === params?.['name'] &&
      isSame(other?.['arguments'] ?? {}, params?.['arguments'] ?? {}) &&
      requestIdOf(one.message) !== undefined
    );
  });
}

export const isStatelessVersion = (version: string): boolean => version >= '2026-07-28';
