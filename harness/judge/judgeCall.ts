/** The verdict on one interrupted call, and what to change in the server. Pure: one row, one test. */
import { plural } from '../../src/base/format.ts';
import type { Control, Finding } from '../context.ts';
import type { Exchange, Returned } from '../report/facts.ts';
import type { Cause } from './causes.ts';
import { checkNumbers, compareWithControl, type Comparison } from './compare.ts';
import { errorIn } from './errorIn.ts';
import { fingerprint } from './fingerprint.ts';
import type { Observed } from './observe.ts';
import { drawWaterfall, nameOf } from './waterfall.ts';

/** A page that waits this long for its streams is a page that seems to hang. */
const HELD_TOO_LONG_MS = 1000;

export interface Failure {
  readonly why: string;
  readonly fix: string;
  readonly exchange?: Exchange | undefined;
  readonly cause: Cause;
  /** It took too long, which a busy machine can cause too. */
  readonly isSlow?: true;
}

/** What the server sent while no page was there; `undefined` in its place: nothing could see that. */
export type Missed = readonly { readonly eventId: string | undefined; readonly isResponse?: boolean }[];

export interface Judged {
  readonly finding: Finding;
  /** Why this doesn't count before it was tried again. */
  readonly again?: Again;
  /** An event was sent while the page was away, and no resume has brought it. */
  readonly isSeenLost?: boolean;
}

/**
 * `ended-away`: the page was back only after the end of the call, so it saw no new event on a resumed stream.
 * `away-too-long`: the same, and a page that leaves earlier would be back after the end, too.
 */
export type Again = 'missed-nothing' | 'was-slow' | 'ended-away' | 'away-too-long';

/** A call that was interrupted. */
export function judge(observed: Observed, control: Control, missed: Missed | undefined): Judged {
  const { failure, finding } = look(observed, control, missed);
  const returned = returnedFrom(observed, control, missed, finding.lost ?? 0);
  const facts = { ...finding, returned };
  const isSeenLost = unrecovered(observed, missed ?? []) > 0;
  if (failure) return { finding: facts, isSeenLost, ...(failure.isSlow && { again: 'was-slow' }) };
  if (returned.followedAsTask) return { finding: facts };
  if (returned.missed > 0) {
    const again = backLate(observed, control, missed);
    return { finding: facts, ...(again && { again }) };
  }
  const why = 'The server sent no events while the page was closed, so the replay is not tested.';
  return { finding: { ...facts, verdict: 'skipped', why }, again: 'missed-nothing' };
}

/** An interruption that comes earlier leaves this part of the call. */
const LEFT_BY_AN_EARLY_TRY = 0.8;

/** The response was in the replay although the page was not kept away until then. */
function backLate(
  { messages }: Observed,
  control: Control,
  missed: Missed | undefined,
): 'ended-away' | 'away-too-long' | undefined {
  const isKeptAway = missed?.some(({ isResponse }) => isResponse === true) ?? true;
  const first = messages.findIndex(({ replayed }) => replayed);
  const before = messages[first - 1];
  if (isKeptAway || !before || messages.at(-1)?.replayed !== true) return undefined;
  const awayMs = (messages[first]?.at ?? before.at) - before.at;
  return awayMs < control.durationMs * LEFT_BY_AN_EARLY_TRY ? 'ended-away' : 'away-too-long';
}

/** A call that was interrupted, if `missed` is given; else one that was left alone, which no slow stream can hurt. */
export function judgeCall(
  observed: Observed,
  control: Control,
  ...missed: [Missed | undefined] | []
): Finding {
  if (missed.length > 0) return judge(observed, control, missed[0]).finding;
  const calm = { ...observed, heldMs: 0, stalled: false };
  return look(calm, control).finding;
}

function returnedFrom(
  observed: Observed,
  control: Control,
  missed: Missed | undefined,
  lost: number,
): Returned {
  const { replayed } = observed.call;
  return {
    givesEventIds: observed.givesEventIds || control.observed.givesEventIds,
    wasBlind: !observed.givesEventIds && control.observed.givesEventIds,
    restarted: observed.restarted,
    refused: observed.refusal !== undefined,
    resultDelivered: isDelivered(observed),
    followedAsTask: observed.followedAsTask,
    missed: missed ? missed.length : replayed + lost,
    recovered: missed ? missed.length - withoutId(missed) - unrecovered(observed, missed) : replayed,
  };
}

const withoutId = (missed: Missed): number => missed.filter(({ eventId }) => eventId === undefined).length;

/** Events that were seen on the wire while no page was there, and that no resume has brought since. */
export function unrecovered({ eventIds }: Observed, missed: Missed): number {
  return missed.filter(({ eventId }) => eventId !== undefined && !eventIds.has(eventId)).length;
}

function look(
  observed: Observed,
  control: Control,
  missed: Missed = [],
): { failure: Failure | undefined; finding: Finding } {
  const comparison = compare(observed, control, missed);
  const failure = findFailure(observed, comparison, control);
  const { call } = observed;
  // A call whose answer never began is shown by the answer that the control call got.
  const exchange = failure && (failure.exchange ?? control.observed.posted);
  const lastReturn = observed.returns.at(-1);
  const reconnectMs =
    lastReturn?.connectedAt === undefined ? undefined : lastReturn.connectedAt - lastReturn.loadedAt;
  const remarks = remarksOn(observed, control);
  const finding: Finding = {
    verdict: failure ? 'fail' : 'pass',
    why: failure?.why ?? praise(observed),
    control: control.observed.messages.length,
    received: observed.messages.length,
    replayed: call.replayed,
    duplicates: call.duplicates,
    lost: comparison.lost,
    outOfOrder: comparison.outOfOrder,
    ...(observed.blindWindowMs !== undefined && { blindWindowMs: observed.blindWindowMs }),
    ...(reconnectMs !== undefined && { reconnectMs }),
    resultDelivered: isDelivered(observed),
    ...(failure && { fix: failure.fix, cause: failure.cause }),
    ...(exchange && { exchange }),
    ...(remarks.length > 0 && { remarks }),
    waterfall: drawWaterfall(observed, control, comparison),
  };
  return { failure, finding };
}

function isDelivered({ call }: Observed): boolean {
  return call.name === 'settled' && (call.result !== undefined || call.error !== undefined);
}

function compare(observed: Observed, control: Control, missed: Missed): Comparison {
  if (control.repeatable) return compareWithControl(control.observed.messages, observed.messages);
  const comparison = checkNumbers(observed.messages);
  // A result that isn't there is lost, whatever the numbers say, and so is what the wire showed.
  const lost = Math.max(comparison.lost + (isDelivered(observed) ? 0 : 1), unrecovered(observed, missed));
  return { ...comparison, lost };
}

export function findFailure(
  observed: Observed,
  comparison: Comparison,
  control: Control,
): Failure | undefined {
  const { call, heldMs, heldBy, stalled, repeats, posted } = observed;
  if (!isDelivered(observed)) return explainLoss(observed, control);
  const error = errorIn(call);
  if (error !== undefined && errorIn(control.observed.call) === undefined) {
    return {
      why: `The call failed with an error that the control call didn't have: ${error}`,
      fix: "Don't cancel the tool when the client disconnects. A disconnect isn't a cancellation.",
      cause: 'cancelled-by-disconnect',
      exchange: posted,
    };
  }
  // A message on the wrong stream may be missing on its own: this is the cause of that.
  if (repeats.elsewhere > 0) {
    return {
      why: `${plural(repeats.elsewhere, 'event')} of the call arrived on two streams, because a resumed stream contained events of another stream.`,
      fix: 'Replay only events from the stream of Last-Event-ID (2025-11-25, Resumability).',
      exchange: repeats.exchange ?? posted,
      cause: 'events-of-other-streams',
    };
  }
  const strays = straysIn(observed, comparison, control);
  // Without event IDs nothing is resumed: the call isn't told by its stream then, but by its token.
  if (strays > 0 && observed.eventIds.size === 0) {
    return {
      why: `Progress of the call arrived without its progress token (${plural(strays, 'message')}), so a page can't tell which call it belongs to.`,
      fix: 'Send the progress of a call with the progressToken of that call, and only to its session.',
      exchange: posted,
      cause: 'wrong-progress-token',
    };
  }
  if (strays > 0) {
    return {
      why: `${plural(strays, 'message')} of the call arrived only on another stream, because a resumed stream contained events of another stream.`,
      fix: 'Replay only events from the stream of Last-Event-ID (2025-11-25, Resumability).',
      exchange: observed.resumed ?? posted,
      cause: 'events-of-other-streams',
    };
  }
  if (comparison.lost > 0) {
    return {
      why: `${plural(comparison.lost, 'message')} of ${control.observed.messages.length} never arrived.`,
      fix: 'Store every event before sending it, and replay all events after Last-Event-ID on that stream.',
      exchange: observed.refusal ?? observed.resumed ?? posted,
      cause: observed.givesEventIds ? 'events-lost' : causeOfNoEventIds(control.observed.posted),
    };
  }
  if (repeats.again > 0) {
    return {
      why: `${plural(repeats.again, 'event')} sent again, although Last-Event-ID was already past them.`,
      fix: "Replay only events after Last-Event-ID, and only from that event's stream.",
      cause: 'events-repeated',
      exchange: repeats.exchange ?? posted,
    };
  }
  if (comparison.outOfOrder > 0) {
    const { overtaken } = comparison;
    const which = overtaken ? ` ${nameOf(overtaken.late)} arrived after ${nameOf(overtaken.by)}.` : '';
    return {
      why: `${plural(comparison.outOfOrder, 'message')} arrived out of order.${which}`,
      fix: 'Replay events in their original order, before any new events.',
      cause: 'out-of-order',
      exchange: observed.resumed ?? posted,
    };
  }
  if (heldMs >= HELD_TOO_LONG_MS) {
    return {
      why: `The server kept the old stream open: HTTP 409 for ${seconds(heldMs)} after the reload.`,
      fix: 'Let a GET with Last-Event-ID replace the old connection, or detect the disconnect immediately.',
      exchange: heldBy,
      cause: 'stream-held',
      isSlow: true,
    };
  }
  if (stalled && !control.hasLongSilence) {
    return {
      why: 'The resumed stream stalled after the replay. The rest arrived only after another request.',
      fix: 'After the replay, attach the stream to the running call so that it gets new events.',
      cause: 'stream-stalls',
      exchange: observed.resumed ?? posted,
      isSlow: true,
    };
  }
  return undefined;
}

/** Messages that are missing from the call, and that came on a stream that isn't the call's. */
function straysIn({ strays }: Observed, { missing }: Comparison, control: Control): number {
  const came = new Set(strays.map(fingerprint));
  return missing.filter((place) => {
    const message = control.observed.messages[place]?.message;
    return message !== undefined && came.has(fingerprint(message));
  }).length;
}

function explainLoss(observed: Observed, control: Control): Failure {
  const { call, refusal, posted, givesEventIds, restarted } = observed;
  if (restarted) {
    return {
      why: `The server dropped the session during the reload, and the result was lost.`,
      fix: 'Keep the session when the connection closes. End it on DELETE or after an idle timeout.',
      cause: 'session-dropped',
      exchange: refusal ?? posted,
    };
  }
  if (!givesEventIds && control.observed.givesEventIds) {
    const blindMs = Math.round(control.observed.blindWindowMs ?? 0);
    return {
      why: `The page closed before the call's first event, so the call can't be resumed. The control call got its first event ID after ${blindMs} ms of ${Math.round(control.durationMs)} ms.`,
      fix: 'Send an event with an ID immediately, and flush it. A proxy or middleware may buffer the stream.',
      cause: 'late-event-id',
      exchange: posted,
    };
  }
  if (!givesEventIds) {
    return {
      why: "The session resumed, but the result was lost because the server doesn't send event IDs.",
      ...withoutEventIds(control.observed.posted),
      exchange: posted,
    };
  }
  if (refusal) {
    return {
      why: `The server sent event IDs but rejected a resume (HTTP ${refusal.status}).`,
      fix: 'Respond to every GET with Last-Event-ID with a stream of the events after that ID.',
      cause: 'resume-refused',
      exchange: refusal,
    };
  }
  return {
    why: call.why ?? "After the reload, the result didn't arrive in time.",
    fix: 'Send the response on the resumed stream, even if the tool finished during the reload.',
    cause: 'result-not-sent',
    exchange: observed.resumed ?? posted,
  };
}

/** A stream without event IDs, or no stream at all: what to change is not the same. */
export function withoutEventIds(posted: Exchange | undefined): Pick<Failure, 'fix' | 'cause'> {
  const cause = causeOfNoEventIds(posted);
  const store =
    'Add an event store to the transport. Events then have IDs, and a GET with Last-Event-ID replays missed ones.';
  return cause === 'json-response'
    ? { cause, fix: `Respond to calls with a stream (text/event-stream) instead of JSON. ${store}` }
    : { cause, fix: store };
}

export function causeOfNoEventIds(posted: Exchange | undefined): Cause {
  const type = posted?.responseHeaders['content-type'] ?? '';
  return type.includes('application/json') ? 'json-response' : 'no-event-ids';
}

function remarksOn(observed: Observed, control: Control): string[] {
  const onStandalone = observed.messages.filter(({ stream }) => stream === 'standalone').length;
  return [
    ...(control.repeatable
      ? []
      : ['Two control calls differ, so losses are detected by progress numbers only.']),
    ...(onStandalone > 0
      ? [
          `${plural(onStandalone, 'message')} of the call arrived on the standalone stream instead of the call's stream.`,
        ]
      : []),
  ];
}

function praise({ messages, call }: Observed): string {
  const replayed = call.replayed > 0 ? ` (${call.replayed} replayed)` : '';
  if (messages.length === 1) return `The result arrived${call.replayed > 0 ? ' after a resume' : ''}.`;
  return `All ${messages.length} messages arrived${replayed}, including the result.`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
