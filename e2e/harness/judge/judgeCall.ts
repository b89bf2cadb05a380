/** The verdict on one interrupted call, and what to change in the server. Pure: one row, one test. */
import { count } from '../../../src/base/words.ts';
import type { Control, Finding } from '../context.ts';
import type { Exchange } from '../report/facts.ts';
import { checkNumbers, compareWithControl, type Comparison } from './compare.ts';
import type { Observed } from './observe.ts';
import { drawWaterfall } from './waterfall.ts';

/** A page that waits this long for its streams is a page that seems to hang. */
const HELD_TOO_LONG_MS = 1000;

interface Failure {
  readonly why: string;
  readonly fix: string;
  readonly exchange?: Exchange | undefined;
}

export function judgeCall(observed: Observed, control: Control): Finding {
  const comparison = compare(observed, control);
  const failure = findFailure(observed, comparison, control);
  const { call } = observed;
  // A call whose answer never began is shown by the answer that the control call got.
  const exchange = failure && (failure.exchange ?? control.observed.posted);
  const lastReturn = observed.returns.at(-1);
  const reconnectMs =
    lastReturn?.connectedAt === undefined ? undefined : lastReturn.connectedAt - lastReturn.loadedAt;
  const remarks = remarksOn(observed, control);
  return {
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
    ...(failure && { fix: failure.fix }),
    ...(exchange && { exchange }),
    ...(remarks.length > 0 && { remarks }),
    waterfall: drawWaterfall(observed, control, comparison),
    ...(observed.returns.length > 0 && {
      returned: {
        givesEventIds: observed.givesEventIds,
        restarted: observed.restarted,
        refused: observed.refusal !== undefined,
        resultDelivered: isDelivered(observed),
        followedAsTask: observed.followedAsTask,
      },
    }),
  };
}

function isDelivered({ call }: Observed): boolean {
  return call.name === 'settled' && (call.result !== undefined || call.error !== undefined);
}

function compare(observed: Observed, control: Control): Comparison {
  return control.repeatable
    ? compareWithControl(control.observed.messages, observed.messages)
    : checkNumbers(observed.messages);
}

function findFailure(observed: Observed, comparison: Comparison, control: Control): Failure | undefined {
  const { call, heldMs, heldBy, stalled, posted } = observed;
  if (!isDelivered(observed)) return explainLoss(observed);
  if (call.error && !control.observed.call.error) {
    return {
      why: `The call ended in an error that the control call did not have: ${call.error.message}`,
      fix: 'A client that goes away must not change what a tool does: a disconnect is not a cancellation.',
      exchange: posted,
    };
  }
  if (comparison.lost > 0) {
    return {
      why: `${count(comparison.lost, 'message')} of ${control.observed.messages.length} never came.`,
      fix: 'Store every event before it is sent, and replay all that follow Last-Event-ID on its stream.',
      exchange: observed.refusal ?? posted,
    };
  }
  if (call.duplicates > 0) {
    return {
      why: `${count(call.duplicates, 'event')} came again although the page had named a later position.`,
      fix: 'Replay only what follows Last-Event-ID, and only events of the stream that the id belongs to.',
      exchange: observed.resumed ?? posted,
    };
  }
  if (comparison.outOfOrder > 0) {
    return {
      why: `${count(comparison.outOfOrder, 'message')} came out of order.`,
      fix: 'Replay in the order in which the events were first sent, and send new ones after the old ones.',
      exchange: observed.resumed ?? posted,
    };
  }
  if (heldMs >= HELD_TOO_LONG_MS) {
    return {
      why: `The server held on to the stream of a page that was gone: 409 for ${seconds(heldMs)} after the reload.`,
      fix: 'Let a GET with Last-Event-ID take the place of the old connection, or notice its close at once.',
      exchange: heldBy,
    };
  }
  if (stalled && !control.hasLongSilence) {
    return {
      why: 'The resumed stream fell silent after the replay; only another request brought the rest.',
      fix: 'After the replay, bind the stream to the running call again, so that new events go to it.',
      exchange: observed.resumed ?? posted,
    };
  }
  return undefined;
}

function explainLoss(observed: Observed): Failure {
  const { call, refusal, posted, givesEventIds, restarted } = observed;
  if (restarted) {
    return {
      why: `The server did not know the session any more when the page came back, and the result was lost.`,
      fix: 'Keep a session when its connection closes: it ends by DELETE, or after a time without use.',
      exchange: refusal ?? posted,
    };
  }
  if (!givesEventIds) {
    return {
      why: 'The session came back, the result did not: the server gives no event ids, so nothing can be asked for again.',
      fix: 'Give the transport an event store: each event then has an id, and a GET with Last-Event-ID replays what was missed.',
      exchange: posted,
    };
  }
  if (refusal) {
    return {
      why: `The server gave event ids and then refused to resume from one (${refusal.status}).`,
      fix: 'Answer a GET with Last-Event-ID by a stream with what follows that event, as often as it is asked for.',
      exchange: refusal,
    };
  }
  return {
    why: call.why ?? 'The page came back, and no result followed in time.',
    fix: 'Send the response on the resumed stream, also when the tool has ended in the meantime.',
    exchange: observed.resumed ?? posted,
  };
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
