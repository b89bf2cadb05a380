import { describe, expect, it } from 'vitest';
import type { Effect, End, Policy, Setbacks, Stream, StreamEvent, Trouble } from './stream.ts';
import { begin, canYield, healthOf, next, restore, type Health } from './streamMachine.ts';
import {
  absent,
  ask,
  askToListen,
  check,
  declare,
  ended,
  EVENTS,
  get,
  POLICY,
  release,
} from './streamSamples.ts';
import { setbacks, standalone, stream, timer } from './streamSamples.ts';

interface Row {
  readonly from: Stream;
  readonly on: StreamEvent;
  readonly to: Stream;
  readonly effects: readonly Effect[];
  readonly policy: Partial<Policy>;
}

function row(
  from: Stream,
  on: StreamEvent,
  to: Stream,
  effects: readonly Effect[],
  policy: Partial<Policy> = {},
): Row {
  return { from, on, to, effects, policy };
}

/** Every row of a state, and the promise that it has no others. */
function table(name: Stream['name'], samples: readonly Stream[], rows: Record<string, Row>): void {
  describe(name, () => {
    it.each(Object.entries(rows))('%s', (_, { from, on, to, effects, policy }) => {
      expect(from.name).toBe(name);
      expect(next(from, on, { ...POLICY, ...policy })).toEqual({ stream: to, effects });
    });

    const moving = new Set(Object.values(rows).flatMap(({ from, to, on }) => (from === to ? [] : [on.kind])));
    const still = EVENTS.filter(({ kind }) => !moving.has(kind));
    it.each(still)('ignores $kind', (event) => {
      for (const one of samples) expect(next(one, event, POLICY)).toEqual({ stream: one, effects: [] });
    });
  });
}

const on = (
  kind: (StreamEvent & { kind: 'opened' | 'response' | 'session-alive' | 'cancelled' })['kind'],
): StreamEvent => ({ kind });
const refused = (status: number): StreamEvent => ({ kind: 'refused', status });
const received = (eventId?: string, isNew = true): StreamEvent => ({
  kind: 'received',
  isNew,
  ...(eventId !== undefined && { eventId }),
});
const silence: StreamEvent = { kind: 'timer', awaitsUser: false };
const lost = (reason: Extract<End, { reason: unknown }>['reason']): End => ({ how: 'lost', reason });
const unknown = (reason: Extract<End, { reason: unknown }>['reason']): End => ({ how: 'unknown', reason });
const failedEnd = (reason: Extract<End, { reason: unknown }>['reason']): End => ({ how: 'failed', reason });
const troubled = (code: Trouble['code'], rest: Partial<Setbacks> = {}, status?: number): Setbacks =>
  setbacks({ ...rest, trouble: { code, ...(status !== undefined && { status }) } });
const kind = (name: StreamEvent['kind']): StreamEvent => ({ kind: name }) as StreamEvent;

const ANSWERED: End = { how: 'answered' };
const CANCELLED: End = { how: 'cancelled' };
const LEFT: End = { how: 'left' };
const GONE = lost({ code: 'session-gone' });

/** The four events that end a stream, from whatever state. */
function endings(from: Stream, freed: readonly Effect[]): Record<string, Row> {
  return {
    'response (own stream or another) → ended': row(from, on('response'), ended(ANSWERED), [
      ...freed,
      declare(ANSWERED),
    ]),
    'cancelled → ended': row(from, on('cancelled'), ended(CANCELLED), [...freed, declare(CANCELLED)]),
    'leaving → ended, nothing declared': row(from, kind('leaving'), ended(LEFT), freed),
    'session-gone → ended, lost': row(from, kind('session-gone'), ended(GONE), [...freed, declare(GONE)]),
  };
}

describe('begin', () => {
  it('sends a call as soon as it has a place, before streams that only listen', () => {
    expect(begin('c1', 'call', POLICY)).toEqual({
      stream: stream('queued', { via: 'post', lastEventId: undefined }),
      effects: [{ kind: 'askForPlace', rank: 'post' }],
    });
  });
  it('opens the standalone stream with a plain GET', () => {
    expect(begin('standalone', 'standalone', POLICY)).toEqual({
      stream: standalone('queued', { via: 'plain', lastEventId: undefined }),
      effects: [askToListen, timer(2000)],
    });
  });
});

describe('restore', () => {
  const loaded = troubled('page-loaded');
  const call = { id: 'c1', role: 'call' } as const;
  const alone = { id: 'standalone', role: 'standalone', wasAnswered: true } as const;
  // oxfmt-ignore
  const cases: [string, Parameters<typeof restore>[0], Partial<Policy>, Stream, readonly Effect[]][] = [
    ['a call with an event ID is resumed', { ...call, lastEventId: '7', wasAnswered: true }, {}, stream('queued', { setbacks: loaded }), [ask]],
    ['the standalone stream is resumed from its event ID', { ...alone, lastEventId: '7' }, {}, standalone('queued', { setbacks: loaded }), [askToListen, timer(2000)]],
    ['the standalone stream without an event ID is opened anew', { ...alone, lastEventId: undefined }, {}, standalone('queued', { via: 'plain', lastEventId: undefined, setbacks: loaded }), [askToListen, timer(2000)]],
    ['the standalone stream of a server without sessions is opened', { ...alone, lastEventId: undefined }, { hasSession: false }, standalone('queued', { via: 'plain', lastEventId: undefined, setbacks: loaded }), [askToListen, timer(2000)]],
    ['no session: the call is unknown', { ...call, lastEventId: '7', wasAnswered: true }, { hasSession: false }, ended(unknown({ code: 'no-session' })), [declare(unknown({ code: 'no-session' }))]],
    ['left before the event ID: unknown', { ...call, lastEventId: undefined, wasAnswered: true }, {}, ended(unknown({ code: 'page-closed' })), [declare(unknown({ code: 'page-closed' }))]],
    ['left before any answer: unknown, whatever the server', { ...call, lastEventId: undefined, wasAnswered: false }, { sendsEventIds: false }, ended(unknown({ code: 'page-closed' })), [declare(unknown({ code: 'page-closed' }))]],
    ['a server without event IDs: lost', { ...call, lastEventId: undefined, wasAnswered: true }, { sendsEventIds: false }, ended(lost({ code: 'no-replay' })), [declare(lost({ code: 'no-replay' }))]],
    ['MCP 2026-07-28: lost with its stream', { ...call, lastEventId: undefined, wasAnswered: true }, { closeCancels: true }, ended(lost({ code: 'closed-is-cancelled' })), [declare(lost({ code: 'closed-is-cancelled' }))]],
  ];
  it.each(cases)('%s', (_, left, policy, to, effects) => {
    expect(restore(left, { ...POLICY, ...policy })).toEqual({ stream: to, effects });
  });
});

const queuedPost = stream('queued', { via: 'post', lastEventId: undefined });
const crowded = standalone('queued', { setbacks: troubled('page-loaded') });
const crowdedWith = (session: 'checking' | 'alive') =>
  standalone('queued', { session, setbacks: troubled('page-loaded') });
// oxfmt-ignore
table('queued', [stream('queued'), queuedPost, standalone('queued')], {
  'place-granted → opening, by POST': row(queuedPost, kind('place-granted'), stream('opening', { via: 'post', lastEventId: undefined }), [{ kind: 'post' }]),
  'place-granted → opening, by GET with Last-Event-ID': row(stream('queued'), kind('place-granted'), stream('opening'), [get('7'), timer(300)]),
  'place-granted → opening, by plain GET, although an event ID is known': row(standalone('queued', { via: 'plain' }), kind('place-granted'), standalone('opening', { via: 'plain' }), [get(), timer(300)]),
  'timer, no connection is free → the session is checked': row(crowded, silence, crowdedWith('checking'), [check]),
  'session-alive → stays queued, proven': row(crowdedWith('checking'), on('session-alive'), crowdedWith('alive'), []),
  'session-unreachable → waiting': row(crowdedWith('checking'), kind('session-unreachable'), standalone('waiting', { setbacks: troubled('no-answer', { failed: 1 }) }), [release, timer(250)]),
  'place-granted after the check → opening': row(crowdedWith('alive'), kind('place-granted'), standalone('opening', { setbacks: troubled('page-loaded') }), [get('7'), timer(300)]),
  ...endings(stream('queued'), [release]),
});

const post = stream('opening', { via: 'post', lastEventId: undefined });
const resume = stream('opening');
const plain = standalone('opening', { via: 'plain', lastEventId: undefined });
const late = stream('opening', { isLate: true });
const twice = (rest: Partial<Setbacks> = {}) => setbacks({ failed: 2, ...rest });
const noAnswer = unknown({ code: 'no-answer' });
// oxfmt-ignore
table('opening', [post, resume, plain], {
  'opened, a POST → open, not watched': row(post, on('opened'), stream('open', { via: 'post', lastEventId: undefined }), []),
  'opened, resumed → open: trouble and refusals are over, failures count until a message comes': row(stream('opening', { setbacks: troubled('broken', { failed: 2, refused: 1, silent: 1 }) }), on('opened'), stream('open', { setbacks: setbacks({ failed: 2, silent: 1 }) }), [timer(10_000)]),
  'opened, standalone resumed → open, watched for deafness': row(standalone('opening'), on('opened'), standalone('open'), [timer(15_000)]),
  'opened, standalone plain → open, not watched': row(plain, on('opened'), standalone('open', { via: 'plain', lastEventId: undefined }), []),
  'network-error, a POST → ended, unknown; the server is suspected': row(post, kind('network-error'), ended(noAnswer), [release, declare(noAnswer), { kind: 'suspectServer' }]),
  'network-error, a GET → waiting': row(resume, kind('network-error'), stream('waiting', { delayMs: 250, setbacks: troubled('no-answer', { failed: 1 }) }), [release, timer(250)]),
  'network-error, the second → waiting': row(stream('opening', { setbacks: setbacks({ failed: 1 }) }), kind('network-error'), stream('waiting', { delayMs: 500, setbacks: troubled('no-answer', { failed: 2 }) }), [release, timer(500)]),
  'network-error, the third → checking (CORS may block Last-Event-ID alone)': row(stream('opening', { setbacks: twice() }), kind('network-error'), stream('checking', { setbacks: twice() }), [release, check]),
  'network-error after a check that found the session alive → checking again': row(stream('opening', { setbacks: setbacks({ refused: 1 }) }), kind('network-error'), stream('checking', { setbacks: setbacks({ refused: 1 }) }), [release, check]),
  'refused, a POST → ended, failed': row(post, refused(409), ended(failedEnd({ code: 'post-refused', status: 409 })), [release, declare(failedEnd({ code: 'post-refused', status: 409 }))]),
  'refused 409 → waiting, quickly, without trouble': row(resume, refused(409), stream('waiting', { delayMs: 50, setbacks: setbacks({ failed: 1 }) }), [release, timer(50)]),
  'refused 409, in trouble → waiting, the trouble stays': row(stream('opening', { setbacks: troubled('page-loaded') }), refused(409), stream('waiting', { delayMs: 50, setbacks: troubled('page-loaded', { failed: 1 }) }), [release, timer(50)]),
  'refused 409, the third → waiting, now it is trouble': row(stream('opening', { setbacks: twice() }), refused(409), stream('waiting', { delayMs: 200, setbacks: troubled('held', { failed: 3 }, 409) }), [release, timer(200)]),
  'refused 429 → waiting, however often': row(stream('opening', { setbacks: twice() }), refused(429), stream('waiting', { delayMs: 1000, setbacks: troubled('unavailable', { failed: 3 }, 429) }), [release, timer(1000)]),
  'refused 502 → waiting': row(resume, refused(502), stream('waiting', { delayMs: 250, setbacks: troubled('unavailable', { failed: 1 }, 502) }), [release, timer(250)]),
  'refused 504 → waiting': row(resume, refused(504), stream('waiting', { delayMs: 250, setbacks: troubled('unavailable', { failed: 1 }, 504) }), [release, timer(250)]),
  'refused 503, the second → waiting': row(stream('opening', { setbacks: setbacks({ failed: 1 }) }), refused(503), stream('waiting', { delayMs: 500, setbacks: troubled('unavailable', { failed: 2 }, 503) }), [release, timer(500)]),
  'refused 503, a plain GET although an event ID is known → waiting, still plain': row(standalone('opening', { via: 'plain' }), refused(503), standalone('waiting', { via: 'plain', setbacks: troubled('unavailable', { failed: 1 }, 503) }), [release, timer(250)]),
  'refused 503, the third → checking (some gateways say it of an ended session)': row(stream('opening', { setbacks: twice() }), refused(503), stream('checking', { status: 503, setbacks: twice() }), [release, check]),
  'refused 500 → checking': row(resume, refused(500), stream('checking', { status: 500 }), [release, check]),
  'refused 501 → checking': row(resume, refused(501), stream('checking', { status: 501 }), [release, check]),
  'refused 505 → checking': row(resume, refused(505), stream('checking', { status: 505 }), [release, check]),
  'refused 404, with a session → checking': row(plain, refused(404), standalone('checking', { via: 'plain', lastEventId: undefined, status: 404 }), [release, check]),
  ...Object.fromEntries([400, 404, 405, 501].map((status) => [`refused ${status} without a session → absent`, row(plain, refused(status), absent, [release], { hasSession: false })])),
  'refused 404 without a session, resumed → checking (it may be the event ID)': row(standalone('opening'), refused(404), standalone('checking', { status: 404 }), [release, check], { hasSession: false }),
  'refused 500 without a session → checking': row(plain, refused(500), standalone('checking', { via: 'plain', lastEventId: undefined, status: 500 }), [release, check], { hasSession: false }),
  'unauthorized, a POST → ended, failed': row(post, kind('unauthorized'), ended(failedEnd({ code: 'unauthorized' })), [release, declare(failedEnd({ code: 'unauthorized' }))]),
  'timer: no response to a GET → late, the session is checked': row(resume, silence, late, [check]),
  'session-alive, late → open, as if the head had come': row(stream('opening', { isLate: true, setbacks: troubled('page-loaded', { failed: 1 }) }), on('session-alive'), stream('open', { setbacks: setbacks({ failed: 1 }) }), [timer(5000)]),
  'session-unreachable, late → waiting, in trouble': row(late, kind('session-unreachable'), stream('waiting', { setbacks: troubled('no-answer', { failed: 1 }) }), [release, timer(250)]),
  'unauthorized, a GET → unauthorized': row(resume, kind('unauthorized'), stream('unauthorized'), [release, { kind: 'awaitLogin' }]),
  'closed, a POST with an empty answer → ended': row(post, kind('closed'), ended(lost({ code: 'no-replay' })), [release, declare(lost({ code: 'no-replay' }))], { sendsEventIds: false }),
  'closed, a plain GET with an empty answer, an event ID is known → waiting to resume': row(standalone('opening', { via: 'plain' }), kind('closed'), standalone('waiting', { setbacks: setbacks({ failed: 1 }) }), [release, timer(250)]),
  'closed, a GET with an empty answer → waiting': row(resume, kind('closed'), stream('waiting', { delayMs: 250, setbacks: setbacks({ failed: 1 }) }), [release, timer(250)]),
  ...endings(resume, [release]),
});

const open = stream('open');
const openPost = stream('open', { via: 'post' });
const primed = stream('open', { via: 'post', lastEventId: undefined });
const listening = standalone('open', { via: 'plain' });
const big = lost({ code: 'event-too-large', limitBytes: 32 });
// oxfmt-ignore
table('open', [open, openPost, listening], {
  'received with an event ID → open, from there on; setbacks are over': row(stream('open', { setbacks: setbacks({ failed: 2, silent: 3 }) }), received('8'), stream('open', { lastEventId: '8' }), [timer(5000)]),
  'received without an event ID → open, the last one stays': row(open, received(), open, [timer(5000)]),
  'received again, or a priming event → open, setbacks stay': row(stream('open', { setbacks: setbacks({ failed: 2, silent: 1 }) }), received('8', false), stream('open', { lastEventId: '8', setbacks: setbacks({ failed: 2, silent: 1 }) }), [timer(10_000)]),
  'received on MCP 2026-07-28 → open, event IDs mean nothing': row(primed, received('8'), primed, [], { closeCancels: true }),
  'received, the first event ID of a POST → open': row(primed, received('1', false), stream('open', { via: 'post', lastEventId: '1' }), []),
  'retry → open, remembered': row(open, { kind: 'retry', delayMs: 900 }, stream('open', { retryMs: 900 }), [timer(5000)]),
  'closed with an event ID → waiting, without trouble': row(openPost, kind('closed'), stream('waiting', { delayMs: 250, setbacks: setbacks({ failed: 1 }) }), [release, timer(250)]),
  'closed again and again → waiting, ever longer': row(stream('open', { setbacks: setbacks({ failed: 9 }) }), kind('closed'), stream('waiting', { delayMs: 10_000, setbacks: setbacks({ failed: 10 }) }), [release, timer(10_000)]),
  'closed after `retry: 900` → waiting as long as that': row(stream('open', { retryMs: 900 }), kind('closed'), stream('waiting', { retryMs: 900, delayMs: 900, setbacks: setbacks({ failed: 1 }) }), [release, timer(900)]),
  'closed after `retry: 0`, again → waiting nevertheless': row(stream('open', { retryMs: 0, setbacks: setbacks({ failed: 3 }) }), kind('closed'), stream('waiting', { retryMs: 0, delayMs: 400, setbacks: setbacks({ failed: 4 }) }), [release, timer(400)]),
  'closed before an event ID → ended, unknown': row(primed, kind('closed'), ended(unknown({ code: 'no-event-id' })), [release, declare(unknown({ code: 'no-event-id' }))]),
  'closed by a server without event IDs → ended, lost': row(primed, kind('closed'), ended(lost({ code: 'no-replay' })), [release, declare(lost({ code: 'no-replay' }))], { sendsEventIds: false }),
  'closed before any event of the session → ended, unknown: nothing is known of its event IDs': row(primed, kind('closed'), ended(unknown({ code: 'no-event-id' })), [release, declare(unknown({ code: 'no-event-id' }))], { sendsEventIds: undefined }),
  'closed, standalone without an event ID → waiting for a plain GET': row(standalone('open', { via: 'plain', lastEventId: undefined }), kind('closed'), standalone('waiting', { via: 'plain', lastEventId: undefined, setbacks: setbacks({ failed: 1 }) }), [release, timer(250)]),
  'closed, standalone plain with an event ID → waiting to resume': row(listening, kind('closed'), standalone('waiting', { setbacks: setbacks({ failed: 1 }) }), [release, timer(250)]),
  'network-error → waiting, in trouble': row(openPost, kind('network-error'), stream('waiting', { setbacks: troubled('broken', { failed: 1 }) }), [release, timer(250)]),
  'network-error after `retry: 900` → waiting as long as that': row(stream('open', { retryMs: 900 }), kind('network-error'), stream('waiting', { retryMs: 900, delayMs: 900, setbacks: troubled('broken', { failed: 1 }) }), [release, timer(900)]),
  'network-error before an event ID → ended, unknown': row(primed, kind('network-error'), ended(unknown({ code: 'no-event-id' })), [release, declare(unknown({ code: 'no-event-id' }))]),
  'network-error on MCP 2026-07-28 → ended, the call with it': row(primed, kind('network-error'), ended(lost({ code: 'closed-is-cancelled' })), [release, declare(lost({ code: 'closed-is-cancelled' }))], { closeCancels: true }),
  'refused 409, taken for open before its head → waiting': row(open, refused(409), stream('waiting', { delayMs: 50, setbacks: setbacks({ failed: 1 }) }), [release, timer(50)]),
  'unauthorized, taken for open before its head → unauthorized': row(open, kind('unauthorized'), stream('unauthorized'), [release, { kind: 'awaitLogin' }]),
  'refused, a POST that is open → stays': row(openPost, refused(409), openPost, []),
  'unauthorized, a POST that is open → stays': row(openPost, kind('unauthorized'), openPost, []),
  'oversized → ended, lost': row(open, { kind: 'oversized', limitBytes: 32 }, ended(big), [release, declare(big)]),
  'oversized, standalone → queued, past it': row(standalone('open'), { kind: 'oversized', limitBytes: 32 }, standalone('queued', { via: 'plain', lastEventId: undefined }), [release, askToListen, timer(2000)]),
  'place-wanted → queued again, to resume': row(openPost, kind('place-wanted'), stream('queued'), [release, ask]),
  'place-wanted, no event ID yet → stays': row(primed, kind('place-wanted'), primed, []),
  'place-wanted, the server cannot resume → stays': row(open, kind('place-wanted'), open, [], { canResume: false }),
  'place-wanted, standalone → stays': row(listening, kind('place-wanted'), listening, []),
  'timer: silent for 5 s → queued, resumed from the last event ID': row(open, silence, stream('queued', { setbacks: setbacks({ silent: 1 }) }), [release, ask]),
  'timer, while the user is asked → open, watched for twice as long': row(open, { kind: 'timer', awaitsUser: true }, stream('open', { setbacks: setbacks({ silent: 1 }) }), [timer(10_000)]),
  'timer, standalone resumed and deaf → queued for a plain GET': row(standalone('open'), silence, standalone('queued', { via: 'plain', setbacks: setbacks({ silent: 1 }) }), [release, askToListen, timer(2000)]),
  ...endings(open, [release]),
});

const broken = stream('waiting', { setbacks: troubled('broken', { failed: 1 }) });
const polling = stream('waiting', { retryMs: 900, setbacks: troubled('broken', { failed: 1 }) });
const closed = stream('waiting', { setbacks: setbacks({ failed: 1 }) });
// oxfmt-ignore
table('waiting', [broken, closed], {
  'timer → queued': row(closed, silence, stream('queued', { setbacks: setbacks({ failed: 1 }) }), [ask]),
  'network-back → queued at once': row(broken, kind('network-back'), stream('queued', { setbacks: troubled('broken', { failed: 1 }) }), [ask]),
  'network-back, the server asked for `retry` → stays': row(polling, kind('network-back'), polling, []),
  'network-back, nothing was wrong → stays': row(closed, kind('network-back'), closed, []),
  ...endings(broken, []),
});

const checking = stream('checking', { status: 400 });
const blocked = stream('checking', { setbacks: setbacks({ failed: 2 }) });
const last = setbacks({ failed: 4, refused: 2 });
const plainCheck = (status?: number) =>
  standalone('checking', { via: 'plain', lastEventId: undefined, ...(status !== undefined && { status }) });
// oxfmt-ignore
table('checking', [checking, blocked, plainCheck(404)], {
  'session-unreachable → waiting, in trouble': row(checking, kind('session-unreachable'), stream('waiting', { setbacks: troubled('no-answer', { failed: 1 }) }), [timer(250)]),
  'session-alive, refused once → waiting': row(checking, on('session-alive'), stream('waiting', { setbacks: troubled('refused', { failed: 1, refused: 1 }, 400) }), [timer(250)]),
  'session-alive, unreachable once → waiting (the network may just be back)': row(blocked, on('session-alive'), stream('waiting', { delayMs: 1000, setbacks: troubled('no-answer', { failed: 3, refused: 1 }) }), [timer(1000)]),
  'session-alive, the third refusal → ended, lost': row(stream('checking', { status: 400, setbacks: last }), on('session-alive'), ended(lost({ code: 'resume-refused', status: 400 })), [declare(lost({ code: 'resume-refused', status: 400 }))]),
  'session-alive, 405 → ended at once, lost': row(stream('checking', { status: 405 }), on('session-alive'), ended(lost({ code: 'resume-refused', status: 405 })), [declare(lost({ code: 'resume-refused', status: 405 }))]),
  'session-alive, 501 → ended at once, lost': row(stream('checking', { status: 501 }), on('session-alive'), ended(lost({ code: 'resume-refused', status: 501 })), [declare(lost({ code: 'resume-refused', status: 501 }))]),
  'session-alive, never an answer to the GET → ended, lost: Last-Event-ID is blocked': row(stream('checking', { setbacks: last }), on('session-alive'), ended(lost({ code: 'resume-blocked' })), [declare(lost({ code: 'resume-blocked' }))]),
  'session-alive, standalone, the third refusal → queued for a plain GET': row(standalone('checking', { status: 400, setbacks: last }), on('session-alive'), standalone('queued', { via: 'plain', lastEventId: undefined, setbacks: setbacks({ failed: 4 }) }), [askToListen, timer(2000)]),
  'session-alive, standalone, Last-Event-ID blocked → queued for a plain GET': row(standalone('checking', { setbacks: last }), on('session-alive'), standalone('queued', { via: 'plain', lastEventId: undefined, setbacks: setbacks({ failed: 4 }) }), [askToListen, timer(2000)]),
  ...Object.fromEntries([400, 404, 405, 501].map((status) => [`session-alive, a plain GET refused with ${status} → absent, at once and without trouble`, row(plainCheck(status), on('session-alive'), absent, [])])),
  'session-alive, a plain GET refused with 500 → waiting': row(plainCheck(500), on('session-alive'), standalone('waiting', { via: 'plain', lastEventId: undefined, setbacks: troubled('refused', { failed: 1, refused: 1 }, 500) }), [timer(250)]),
  'session-alive, a plain GET refused for the third time → absent': row(standalone('checking', { via: 'plain', status: 500, setbacks: last }), on('session-alive'), absent, []),
  ...endings(checking, []),
});

const denied = stream('unauthorized');
// oxfmt-ignore
table('unauthorized', [denied], {
  'authorized → queued': row(denied, kind('authorized'), stream('queued'), [ask]),
  ...endings(denied, []),
});

// oxfmt-ignore
table('absent', [absent], {
  'server-suspected (a POST got no answer) → checking': row(absent, kind('server-suspected'), plainCheck(405), [check]),
  'leaving → ended': row(absent, kind('leaving'), ended(LEFT, 'standalone'), []),
  'session-gone → ended': row(absent, kind('session-gone'), ended(GONE, 'standalone'), []),
  'response → ended (never sent)': row(absent, on('response'), ended(ANSWERED, 'standalone'), []),
  'cancelled → ended (never sent)': row(absent, on('cancelled'), ended(CANCELLED, 'standalone'), []),
});

// oxfmt-ignore
table('ended', [ended(ANSWERED), ended(CANCELLED), ended(LEFT), ended(GONE), ended(noAnswer)], {
  'response after lost → answered after all': row(ended(GONE), on('response'), ended(ANSWERED), [declare(ANSWERED)]),
  'response after unknown → answered after all': row(ended(noAnswer), on('response'), ended(ANSWERED), [declare(ANSWERED)]),
  'response after cancelled → stays': row(ended(CANCELLED), on('response'), ended(CANCELLED), []),
  'response after failed → stays': row(ended(failedEnd({ code: 'unauthorized' })), on('response'), ended(failedEnd({ code: 'unauthorized' })), []),
  'response twice → stays': row(ended(ANSWERED), on('response'), ended(ANSWERED), []),
  'response to a page that leaves → stays': row(ended(LEFT), on('response'), ended(LEFT), []),
});

const loaded = (name: 'queued' | 'opening' | 'waiting') =>
  stream(name, { setbacks: troubled('page-loaded') });

describe('selectors', () => {
  it('a stream gives way only if it is open, has an event ID and a call, and the server resumes', () => {
    expect(canYield(open, POLICY)).toBe(true);
    for (const no of [resume, primed, listening, closed]) expect(canYield(no, POLICY)).toBe(false);
    expect(canYield(open, { ...POLICY, canResume: false })).toBe(false);
  });
  it.each<[string, Health, readonly Stream[]]>([
    [
      'well: every stream is open, absent, ended or between two polls',
      'well',
      [open, absent, closed, ended(GONE)],
    ],
    ['in trouble: one of its streams is', 'in-trouble', [open, broken]],
    ['unproven: no stream is open yet', 'unproven', [loaded('queued'), loaded('opening')]],
    ['unproven: one is open, another is being opened', 'unproven', [open, loaded('opening')]],
    ['unproven: one is open, another waits for its server (409)', 'unproven', [open, loaded('waiting')]],
    ['well: the others wait for one of the browser’s connections', 'well', [open, loaded('queued')]],
    ['well: the server offers no standalone stream', 'well', [absent]],
    ['unproven: what has ended proves nothing', 'unproven', [ended(GONE), loaded('queued')]],
    ['unproven: a request that is under way proves nothing', 'unproven', [openPost, resume]],
    ['unproven: there is no stream', 'unproven', []],
    [
      'waiting for a connection, with the session alive',
      'well',
      [standalone('queued', { session: 'alive', setbacks: troubled('page-loaded') })],
    ],
  ])('%s', (_, health, streams) => {
    expect(healthOf(streams)).toBe(health);
  });
});
