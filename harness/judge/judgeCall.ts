/** The verdict on one interrupted call, and what to change in the server. Pure: one row, one test. */
import { count } from '../../src/base/words.ts';
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

/** `ended-away`: the page was back only after the end of the call, so it saw no new event on a resumed stream. */
export type Again = 'missed-nothing' | 'was-slow' | 'ended-away';

/** A call that was interrupted. */
export function judge(observed: Observed, control: Control, missed: Missed | undefined): Judged {
  const { failure, finding } = look(observed, control, missed);
  const returned = returnedFrom(observed, control, missed, finding.lost ?? 0);
  const facts = { ...finding, returned };
  const isSeenLost = unrecovered(observed, missed ?? []) > 0;
  if (failure) return { finding: facts, isSeenLost, ...(failure.isSlow && { again: 'was-slow' }) };
  if (returned.followedAsTask) return { finding: facts };
  if (returned.missed > 0) {
    return { finding: facts, ...(isBackLate(observed, control, missed) && { again: 'ended-away' }) };
  }
  const why = 'The server sent nothing while the page was away, so this proves no replay.';
  return { finding: { ...facts, verdict: 'skipped', why }, again: 'missed-nothing' };
}

/** An interruption that comes earlier leaves this part of the call. */
const LEFT_BY_AN_EARLY_TRY = 0.8;

/** The response was in the replay although the page was not kept away until then; one that left earlier would be back. */
function isBackLate({ messages }: Observed, control: Control, missed: Missed | undefined): boolean {
  const isKeptAway = missed?.some(({ isResponse }) => isResponse === true) ?? true;
  const first = messages.findIndex(({ replayed }) => replayed);
  const before = messages[first - 1];
  if (isKeptAway || !before || messages.at(-1)?.replayed !== true) return false;
  const awayMs = (messages[first]?.at ?? before.at) - before.at;
  return awayMs < control.durationMs * LEFT_BY_AN_EARLY_TRY;
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
      why: `The call ended in an error that the control call did not have: ${error}`,
      fix: 'A client that goes away must not change what a tool does: a disconnect is not a cancellation.',
      cause: 'cancelled-by-disconnect',
      exchange: posted,
    };
  }
  // A message on the wrong stream may be missing on its own: this is the cause of that.
  if (repeats.elsewhere > 0) {
    return {
      why: `${count(repeats.elsewhere, 'event')} of the call came on two streams: a resumed stream brought the events of another one.`,
      fix: 'Replay only events of the stream that Last-Event-ID belongs to (2025-11-25, Resumability).',
      exchange: repeats.exchange ?? posted,
      cause: 'events-of-other-streams',
    };
  }
  const strays = straysIn(observed, comparison, control);
  if (strays > 0) {
    return {
      why: `${count(strays, 'message')} of the call came only on another stream: a resumed stream brought the events of another one.`,
      fix: 'Replay only events of the stream that Last-Event-ID belongs to (2025-11-25, Resumability).',
      exchange: observed.resumed ?? posted,
      cause: 'events-of-other-streams',
    };
  }
  if (comparison.lost > 0) {
    return {
      why: `${count(comparison.lost, 'message')} of ${control.observed.messages.length} never came.`,
      fix: 'Store every event before it is sent, and replay all that follow Last-Event-ID on its stream.',
      exchange: observed.refusal ?? observed.resumed ?? posted,
      cause: observed.givesEventIds ? 'events-lost' : causeOfNoEventIds(control.observed.posted),
    };
  }
  if (repeats.again > 0) {
    return {
      why: `${count(repeats.again, 'event')} came again although the page had named a later position.`,
      fix: 'Replay only what follows Last-Event-ID, and only events of the stream that the id belongs to.',
      cause: 'events-repeated',
      exchange: repeats.exchange ?? posted,
    };
  }
  if (comparison.outOfOrder > 0) {
    const { overtaken } = comparison;
    const which = overtaken ? ` ${nameOf(overtaken.late)} came after ${nameOf(overtaken.by)}.` : '';
    return {
      why: `${count(comparison.outOfOrder, 'message')} came out of order.${which}`,
      fix: 'Replay in the order in which the events were first sent, and send new ones after the old ones.',
      cause: 'out-of-order',
      exchange: observed.resumed ?? posted,
    };
  }
  if (heldMs >= HELD_TOO_LONG_MS) {
    return {
      why: `The server held on to the stream of a page that was gone: 409 for ${seconds(heldMs)} after the reload.`,
      fix: 'Let a GET with Last-Event-ID take the place of the old connection, or notice its close at once.',
      exchange: heldBy,
      cause: 'stream-held',
      isSlow: true,
    };
  }
  if (stalled && !control.hasLongSilence) {
    return {
      why: 'The resumed stream fell silent after the replay; only another request brought the rest.',
      fix: 'After the replay, bind the stream to the running call again, so that new events go to it.',
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
      why: `The server did not know the session any more when the page came back, and the result was lost.`,
      fix: 'Keep a session when its connection closes: it ends by DELETE, or after a time without use.',
      cause: 'session-dropped',
      exchange: refusal ?? posted,
    };
  }
  if (!givesEventIds && control.observed.givesEventIds) {
    const blindMs = Math.round(control.observed.blindWindowMs ?? 0);
    return {
      why: `No event of the call had come when the page left, so the call can't be resumed. The control call got its first event ID after ${blindMs} ms of ${Math.round(control.durationMs)} ms.`,
      fix: 'Send an event with an ID at once, and flush it: a proxy or a middleware may hold the stream back.',
      cause: 'late-event-id',
      exchange: posted,
    };
  }
  if (!givesEventIds) {
    return {
      why: 'The session came back, the result did not: the server gives no event ids, so nothing can be asked for again.',
      ...withoutEventIds(control.observed.posted),
      exchange: posted,
    };
  }
  if (refusal) {
    return {
      why: `The server gave event ids and then refused to resume from one (${refusal.status}).`,
      fix: 'Answer a GET with Last-Event-ID by a stream with what follows that event, as often as it is asked for.',
      cause: 'resume-refused',
      exchange: refusal,
    };
  }
  return {
    why: call.why ?? 'The page came back, and no result followed in time.',
    fix: 'Send the response on the resumed stream, also when the tool has ended in the meantime.',
    cause: 'result-not-sent',
    exchange: observed.resumed ?? posted,
  };
}

/** A stream without event IDs, or no stream at all: what to change is not the same. */
export function withoutEventIds(posted: Exchange | undefined): Pick<Failure, 'fix' | 'cause'> {
  const cause = causeOfNoEventIds(posted);
  const store =
    'Give the transport an event store: each event then has an id, and a GET with Last-Event-ID replays what was missed.';
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
      : ['Two control calls differ, so a lost message can only be seen in numbered progress.']),
    ...(onStandalone > 0
      ? [`${count(onStandalone, 'message')} of the call came on the standalone stream instead of its own.`]
      : []),
  ];
}

function praise({ messages, call }: Observed): string {
  const replayed = call.replayed > 0 ? `, ${call.replayed} of them replayed` : '';
  if (messages.length === 1) return `The result came${call.replayed > 0 ? ', by a resume' : ''}.`;
  return `All ${messages.length} messages came${replayed}, the result among them.`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
