/** Rules about the stream of a call: it is resumed from the right event, and brings the response. Pure. */
import { plural } from '../../../src/base/format.ts';
import { lastDelivered } from '../callTrace.ts';
import type { WireEvent, WireExchange } from '../model.ts';
import {
  isSameLine,
  isStatelessVersion,
  nameOfLoad,
  secondRuns,
  sessionEndedAt,
  sinceInterruption,
  isBrowserRepeat,
  type Case,
  type Rule,
} from './rule.ts';
import type { Interruption } from '../model.ts';

/** An event that arrives while a page closes may be stored or not. */
const STORED_WITHIN_MS = 100;

/** What a page could resume from at one interruption; undefined if there was nothing to resume. */
interface Position {
  readonly interruption: Interruption;
  readonly last: WireEvent;
  /** Each of them is right. */
  readonly ids: ReadonlySet<string>;
  readonly resumed: WireExchange | undefined;
}

function positionsOf({ recording, trace, interruptions }: Case): readonly Position[] {
  if (trace.taskId !== undefined || isStatelessVersion(trace.protocolVersion)) return [];
  const endedAt = trace.sessionId === undefined ? Infinity : sessionEndedAt(recording, trace.sessionId);
  const events = trace.streams.flatMap((stream) =>
    stream.events.filter(({ eventId }) => trace.eventIds.has(eventId ?? '')),
  );
  return interruptions.flatMap((interruption, at) => {
    const last = lastDelivered(events, interruption.at);
    const settled = lastDelivered(events, interruption.at - STORED_WITHIN_MS);
    if (!last || interruption.backAt >= endedAt || interruption.kind === 'restart') return [];
    const late = events.filter(
      ({ deliveredAt = -Infinity }) =>
        deliveredAt >= interruption.at - STORED_WITHIN_MS && deliveredAt <= interruption.backAt,
    );
    const ids = new Set(
      [...late, last, ...(settled ? [settled] : [])].flatMap(({ eventId }) => eventId ?? []),
    );
    const until = interruptions[at + 1]?.at ?? Infinity;
    const resumed = trace.streams.find(
      (one) =>
        one.kind === 'resume' &&
        one.at >= interruption.at &&
        one.at < until &&
        isSameLine(one.page, trace.post.page),
    );
    return [{ interruption, last, ids, resumed }];
  });
}

/** A GET with an event ID of the call's stream follows each interruption. */
export const resumesStream: Rule = (given) => {
  const { recording, trace, interruptions } = given;
  const positions = positionsOf(given);
  const missing = positions.find(({ resumed }) => !resumed);
  if (!missing) return undefined;
  // A second interruption may come before the page could do anything.
  if (missing !== positions.at(-1) && positions.at(-1)?.resumed) return undefined;
  const other = recording.exchanges.find(
    (one) => one.kind === 'resume' && one.at >= missing.interruption.at && one.server === trace.post.server,
  );
  return {
    expected: `GET with Last-Event-ID: ${missing.last.eventId ?? ''}, the last event of this call that the page received`,
    received: other
      ? `GET with Last-Event-ID: ${other.requestHeaders['last-event-id'] ?? ''}, which isn't an event of this call${sinceInterruption(other, interruptions)}`
      : 'no GET with an event ID of this call',
    fix: `Store the ID of every event of an open call. After a reload, send GET with Last-Event-ID: ${missing.last.eventId ?? ''}, the session ID and the protocol version.`,
    exchange: other,
  };
};

/** The GET has the last event ID that the page received. */
export const lastEvent: Rule = (given) => {
  // Some servers replay events of a call on other streams, so a page may be further than its own stream shows.
  const order = [...given.trace.eventIds];
  const wrong = positionsOf(given).find(({ resumed, ids, last }) => {
    const sent = resumed?.requestHeaders['last-event-id'];
    return sent !== undefined && !ids.has(sent) && order.indexOf(sent) < order.indexOf(last.eventId ?? '');
  });
  if (!wrong?.resumed) return undefined;
  const { resumed, last } = wrong;
  const again = againIn(given, resumed);
  return {
    expected: `"${last.eventId ?? ''}", the last event that ${nameOfLoad(given.trace.streams.findLast((one) => one.events.includes(last))?.page)} received`,
    received: `${nameOfLoad(resumed.page)} resumed from "${resumed.requestHeaders['last-event-id'] ?? ''}"${again > 0 ? `, so the server sent ${plural(again, 'event')} again` : ''}`,
    fix: 'Store the ID of every event when it arrives, on resumed streams too.',
    exchange: resumed,
  };
};

function againIn({ trace }: Case, resumed: WireExchange): number {
  const before = new Set(
    trace.streams
      .filter((one) => one.index < resumed.index)
      .flatMap(({ events }) => events)
      .filter(({ deliveredAt }) => deliveredAt !== undefined)
      .flatMap(({ eventId }) => eventId ?? []),
  );
  return resumed.events.filter(({ eventId }) => eventId !== undefined && before.has(eventId)).length;
}

/** Clocks and timers are not exact. */
const TIMER_MS = 25;

/** A page waits for the `retry` time before it reconnects to a stream that the server closed. */
export const retryDelay: Rule = ({ trace: { streams } }) => {
  let retryMs: number | undefined;
  for (const [at, stream] of streams.entries()) {
    retryMs = stream.events.findLast((event) => event.retryMs !== undefined)?.retryMs ?? retryMs;
    const next = streams[at + 1];
    if (!next || retryMs === undefined || stream.end?.by !== 'server' || stream.page !== next.page) continue;
    const waitedMs = next.at - stream.end.at;
    if (waitedMs < 0 || waitedMs >= retryMs * 0.9 - TIMER_MS) continue;
    return {
      expected: `GET at least ${retryMs} ms after the server closed the stream (retry: ${retryMs})`,
      received: `GET after ${Math.round(waitedMs)} ms`,
      fix: 'Wait for the time in the retry field before you reconnect.',
      exchange: next,
    };
  }
  return undefined;
};

/** No call is repeated without the user. */
export const runsOnce: Rule = (given) => {
  const { trace, recording, interruptions } = given;
  const [again, ...more] = secondRuns(given);
  if (!again) return undefined;
  const runs = more.length + 2;
  const byBrowser = isBrowserRepeat(recording, again, trace.post);
  const resume =
    trace.lastEventId === undefined
      ? ''
      : ` Resume its stream with GET and Last-Event-ID: ${trace.lastEventId}, or ask the user.`;
  return {
    expected: '1 run',
    received: byBrowser
      ? `${runs} runs; the browser sent the same POST again, because the connection closed before the response head`
      : `${runs} runs; ${nameOfLoad(again.page)} sent the same tools/call${sinceInterruption(again, interruptions)}`,
    fix: byBrowser
      ? 'Send the response head before the tool has finished, so that browsers do not repeat the POST.'
      : `Don't call a tool because a page has loaded. The first run continues on the server.${resume} If your test clicked again, claim the second call with mcpWire.call('${trace.tool}').`,
    exchange: again,
  };
};

/** The page that is there after the interruption has the response. */
export const responseDelivered: Rule = (given) => {
  const { trace, interruptions } = given;
  if (interruptions.length === 0 || trace.response?.deliveredAt !== undefined) return undefined;
  const { reason, fix } = whyNot(given);
  return {
    expected: 'the page has the response',
    received: `${trace.response ? 'the server sent the response, and no page received it' : 'no response'}${reason === '' ? '' : `. ${reason}`}`,
    fix,
    exchange: trace.streams.findLast(({ kind }) => kind === 'resume') ?? trace.post,
  };
};

/** Why no page could get the response, if the server is the reason. */
export function whyNot({ recording, trace }: Case): { readonly reason: string; readonly fix: string } {
  if (isStatelessVersion(trace.protocolVersion) && trace.taskId === undefined)
    return {
      reason: 'With 2026-07-28, a reload cancels the call',
      fix: 'Run long calls as tasks, because only tasks survive a reload with 2026-07-28.',
    };
  if (trace.sessionId !== undefined && sessionEndedAt(recording, trace.sessionId) !== Infinity)
    return { reason: 'The session is over', fix: 'Tell the user that the call is lost.' };
  if (trace.taskId === undefined && trace.eventIds.size === 0)
    return {
      reason: 'The server sends no event IDs, so no page can resume this call',
      fix: 'Give the server an event store. Until then, tell the user that the call is lost.',
    };
  return { reason: '', fix: 'Resume the stream of the call, and reconnect until the response arrives.' };
}
