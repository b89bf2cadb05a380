import { describe, expect, it } from 'vitest';
import type { EntryBody } from '../log/entry/entry.ts';
import { Log } from '../log/log.ts';
import type { Frame } from '../wire/exchange.ts';
import { Redactor } from '../wire/redact.ts';
import { StillClock } from '../client/testing/stillClock.ts';
import type { FrameContext } from './frameContext.ts';
import { MessageForms } from './messageForms.ts';
import { recordFrames, type RecordedFrames } from './recordFrames.ts';
import { ReplayFilter } from './replayFilter.ts';
import { RunWatch } from './runWatch.ts';

const CALL = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const OTHER = '01ARZ3NDEKTSV4RRFFQ69G5FAW';

const message = (fields: object): string => JSON.stringify({ jsonrpc: '2.0', ...fields });
const progress = (token: unknown, value = 1): string =>
  message({ method: 'notifications/progress', params: { progressToken: token, progress: value } });
const logged = (data = 'x'): string => message({ method: 'notifications/message', params: { data } });
const response = (id: unknown = CALL): string => message({ id, result: {} });

/** One connection after the other, of a page with two open calls. */
class Page {
  readonly log = new Log('s', new StillClock());
  readonly seen = new ReplayFilter();
  readonly redactor = new Redactor();

  constructor() {
    for (const callId of [CALL, OTHER]) {
      const sending = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;
      this.log.append({ body: { kind: 'call', callId, change: sending } });
      this.log.append({ body: { kind: 'call', callId, change: { name: 'open' } } });
    }
  }

  record(frames: readonly Frame[], context: Partial<FrameContext> = {}): RecordedFrames {
    const recorded = recordFrames(frames, {
      stream: CALL,
      callId: CALL,
      listens: false,
      replaying: false,
      seen: this.seen,
      runs: new RunWatch(false),
      forms: new MessageForms(),
      redactor: this.redactor,
      calls: this.log.state.calls,
      ...context,
    });
    this.log.appendAll(recorded.drafts);
    return recorded;
  }
}

const bodies = ({ drafts }: RecordedFrames): readonly EntryBody[] =>
  drafts.map((draft) => ('body' in draft ? draft.body : expect.fail('A run was not expected.')));
const kinds = (recorded: RecordedFrames): readonly string[] => bodies(recorded).map(({ kind }) => kind);
const callsOf = (recorded: RecordedFrames) =>
  bodies(recorded).map((body) => ('callId' in body ? body.callId : undefined));

describe('a chunk of frames', () => {
  it('becomes one entry for each, in order, and its last event ID is the new one', () => {
    const recorded = new Page().record([
      { id: 'e0', data: '' },
      { id: 'e1', data: progress(CALL) },
      { id: 'e2', data: 'not json' },
      { id: 'e3', data: response() },
    ]);
    expect(kinds(recorded)).toEqual(['position', 'received', 'malformed', 'received']);
    expect(recorded).toMatchObject({ eventId: 'e3', responses: [CALL] });
  });

  it('without event IDs moves nothing, and an event without anything is no entry', () => {
    const recorded = new Page().record([{ data: '' }, { data: logged() }]);
    expect(kinds(recorded)).toEqual(['received']);
    expect(recorded.eventId).toBeUndefined();
  });

  it('says of each message whether a replay brought it', () => {
    const [body] = bodies(new Page().record([{ id: 'e1', data: logged() }], { replaying: true }));
    expect(body).toMatchObject({ eventId: 'e1', method: 'notifications/message', replayed: true });
  });

  it.each([
    ['no JSON', '{'],
    ['no JSON-RPC', '{"id":1}'],
    ['a batch with something else in it', `[${response()},1]`],
  ])('with %s keeps the beginning of it, without secrets', (_, data) => {
    const page = new Page();
    page.redactor.protect({ bearer: 'secret-token-1' });
    const [body] = bodies(page.record([{ id: 'e1', data: `${data} secret-token-1 ${'x'.repeat(1000)}` }]));
    expect(body).toMatchObject({ kind: 'malformed', eventId: 'e1', reason: { code: 'not-json' } });
    if (body?.kind !== 'malformed') throw new Error('It was read.');
    expect(body.excerpt.length).toBeLessThan(500);
    expect(body.excerpt).not.toContain('secret-token-1');
  });

  it('with a batch has an entry for each of its messages', () => {
    const recorded = new Page().record([{ id: 'e1', data: `[${progress(CALL)},${response()}]` }]);
    expect(kinds(recorded)).toEqual(['received', 'received']);
    expect(recorded.responses).toEqual([CALL]);
  });
});

describe('an event that came before', () => {
  it('is dropped on the same stream, and still the one to resume from', () => {
    const page = new Page();
    page.record([{ id: 'e1', data: progress(CALL) }]);
    const again = page.record([{ id: 'e1', data: progress(CALL) }], { listens: true });
    expect(bodies(again)).toEqual([{ kind: 'duplicate', stream: CALL, eventId: 'e1', callId: CALL }]);
    expect([again.eventId, again.forward]).toEqual(['e1', []]);
  });

  it('is dropped on another stream without moving that one', () => {
    const page = new Page();
    page.record([{ id: 'e1', data: progress(CALL) }]);
    const foreign = page.record([{ id: 'e1', data: progress(CALL) }], {
      stream: OTHER,
      callId: OTHER,
      listens: true,
    });
    expect([kinds(foreign), foreign.eventId]).toEqual([['duplicate'], undefined]);
  });

  it('and had no message is passed over', () => {
    const page = new Page();
    page.record([{ id: 'e0', data: '' }]);
    expect(kinds(page.record([{ id: 'e0', data: '' }], { listens: true }))).toEqual([]);
  });
});

describe('a message belongs to', () => {
  it('the call of its progress token, whatever stream it came on', () => {
    const recorded = new Page().record([
      { data: progress(OTHER) },
      { data: progress(7) },
      { data: progress('?') },
    ]);
    expect(callsOf(recorded)).toEqual([OTHER, undefined, undefined]);
  });

  it('the call that it is the response to, also for a request that was sent again', () => {
    const recorded = new Page().record([{ data: response(OTHER) }, { data: response(5) }], {
      stream: 'standalone',
      callId: undefined,
    });
    expect(callsOf(recorded)).toEqual([OTHER, undefined]);
    expect(recorded.responses).toEqual([OTHER]);
  });

  it('the call of its stream while that is open, and to none afterwards', () => {
    const page = new Page();
    expect(callsOf(page.record([{ data: logged() }]))).toEqual([CALL]);
    page.record([{ data: response() }]);
    expect(callsOf(page.record([{ data: logged() }]))).toEqual([undefined]);
  });

  it('no call, where a server mixes streams and this one has never sent the like', () => {
    const page = new Page();
    page.record([{ id: 'e1', data: progress(CALL) }]);
    page.record([{ id: 'e1', data: progress(CALL) }], { stream: OTHER, callId: OTHER, listens: true });
    const brought = page.record([{ id: 'e2', data: logged() }], {
      stream: OTHER,
      callId: OTHER,
      listens: true,
    });
    expect(callsOf(brought)).toEqual([undefined]);
    page.record([{ id: 'e3', data: logged('own') }], { stream: OTHER, callId: OTHER });
    const own = page.record([{ id: 'e4', data: logged('more') }], {
      stream: OTHER,
      callId: OTHER,
      listens: true,
    });
    expect(callsOf(own)).toEqual([OTHER]);
  });
});

describe('the SDK gets', () => {
  const forwarded = (page: Page, data: string) =>
    page.record([{ data }]).forward.map((frame) => JSON.parse(frame.data) as object);

  it('the responses that it may wait for, and requests that nobody else answers', () => {
    const page = new Page();
    expect(page.record([{ data: response(1) }]).forward).toMatchObject([{ responseTo: 1 }]);
    expect(page.record([{ data: response('a') }]).forward).toMatchObject([{ responseTo: 'a' }]);
    expect(forwarded(page, response(`${CALL}.poll.1`))).toHaveLength(1);
    expect(forwarded(page, message({ id: 2, method: 'ping' }))).toHaveLength(1);
    expect(forwarded(page, message({ id: 3, method: 'roots/list' }))).toHaveLength(1);
  });

  it.each([
    ['a notification', progress(CALL)],
    ['the response of a call', response()],
    ['an elicitation', message({ id: 4, method: 'elicitation/create', params: {} })],
    ['a sampling request', message({ id: 5, method: 'sampling/createMessage', params: {} })],
    ['a poll of a task', message({ id: 6, method: 'tasks/get', params: { taskId: 't' } })],
  ])('never %s', (_, data) => {
    expect(forwarded(new Page(), data)).toEqual([]);
  });
});

it('a second response of a call on one connection shows that the tool ran twice, said once', () => {
  const page = new Page();
  const runs = new RunWatch(false);
  const first = page.record([{ data: response() }], { runs });
  const second = page.record([{ data: response() }], { runs });
  expect([...kinds(first), ...kinds(second)]).toEqual(['received', 'received', 'call']);
  expect(page.log.state.calls.get(CALL)).toMatchObject({ runs: 2 });
  expect(kinds(page.record([{ data: response() }], { runs: new RunWatch(false) }))).toEqual(['received']);
});
