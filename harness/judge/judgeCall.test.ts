import { describe, expect, it } from 'vitest';
import type { Control } from '../context.ts';
import type { Call, Entry } from '../contract.ts';
import { judge as judgeInterrupted, judgeCall, type Missed } from './judgeCall.ts';
import { endedBeforeReturn, observe, stalledAway } from './observe.ts';

const CALL: Call = {
  id: 'c',
  server: 's',
  tool: 't',
  args: {},
  name: 'settled',
  startedAt: 1000,
  settledAt: 2000,
  result: {},
  received: 5,
  replayed: 2,
  duplicates: 0,
};

/** A call of four messages and a result; the page is loaded again after two. */
function log(change: (entries: Entry[]) => Entry[] = (entries) => entries): Entry[] {
  const entry = (at: number, load: number, rest: Omit<Entry, 'seq' | 'at' | 'load'>): Entry => ({
    seq: at,
    at,
    load,
    ...rest,
  });
  const own = { callId: 'c', stream: 'c' };
  const message = (at: number, load: number, number: number, replayed = false): Entry =>
    entry(at, load, {
      kind: 'received',
      ...own,
      eventId: `e${number}`,
      ...(replayed && { replayed }),
      message: { method: 'notifications/progress', params: { progress: number } },
    });
  return change([
    entry(900, 1, { kind: 'load' }),
    entry(1005, 1, { kind: 'http', ...own, method: 'POST', url: 'http://x/mcp', status: 200 }),
    entry(1010, 1, { kind: 'position', ...own, eventId: 'e0' }),
    message(1100, 1, 1),
    message(1200, 1, 2),
    entry(1400, 2, { kind: 'load' }),
    entry(1410, 2, { kind: 'http', ...own, method: 'GET', url: 'http://x/mcp', status: 200 }),
    message(1420, 2, 3, true),
    entry(1425, 2, { kind: 'state', state: { name: 'connected', how: 'resumed' } }),
    message(1500, 2, 4),
    entry(2000, 2, { kind: 'received', ...own, eventId: 'e5', message: { id: 'c', result: {} } }),
  ]);
}

const CONTROL: Control = {
  observed: observe(log(), CALL),
  durationMs: 1000,
  shortestMs: 1000,
  repeatable: true,
  hasLongSilence: false,
  isPrimed: true,
};

const WHILE_AWAY: Missed = [{ eventId: 'e3' }, { eventId: 'e4' }];

const judge = (entries: Entry[], call: Partial<Call> = {}, control: Partial<Control> = {}) =>
  judgeCall(observe(entries, { ...CALL, ...call }), { ...CONTROL, ...control }, WHILE_AWAY);

const without = (...numbers: number[]) =>
  log((entries) => entries.filter(({ eventId }) => !numbers.some((number) => eventId === `e${number}`)));

describe('judgeCall', () => {
  it('passes a call that came back whole, and measures it', () => {
    expect(judge(log())).toMatchObject({
      verdict: 'pass',
      control: 5,
      received: 5,
      replayed: 2,
      lost: 0,
      blindWindowMs: 10,
      reconnectMs: 25,
      resultDelivered: true,
      returned: { givesEventIds: true, restarted: false, refused: false, resultDelivered: true },
    });
  });

  it('says what was missed on the wire, and how much of it came back', () => {
    expect(judge(log()).returned).toMatchObject({ missed: 2, recovered: 2, wasBlind: false });
    expect(judge(without(3)).returned).toMatchObject({ missed: 2, recovered: 1 });
    const unseen = judgeCall(observe(log(), CALL), CONTROL, undefined);
    expect(unseen.returned).toMatchObject({ missed: 2, recovered: 2 });
  });

  it('sees on the wire what was lost, where two control calls differ', () => {
    const jumps = log((entries) => entries.filter(({ eventId }) => eventId !== 'e3' && eventId !== 'e4'));
    const noted = observe(jumps, CALL);
    const differing = { ...CONTROL, repeatable: false };
    expect(judgeCall(noted, differing)).toMatchObject({ verdict: 'pass' });
    expect(judgeCall(noted, differing, WHILE_AWAY)).toMatchObject({ verdict: 'fail', lost: 2 });
  });

  it('does not count a pass in which nothing was missed', () => {
    const { finding, again } = judgeInterrupted(observe(log(), CALL), CONTROL, []);
    expect(finding).toMatchObject({ verdict: 'skipped', returned: { missed: 0, recovered: 0 } });
    expect(finding.why).toContain('sent no events while the page was closed');
    expect(again).toBe('missed-nothing');
  });

  it('does not count a pass yet where the call ended before a page that could be back earlier was back', () => {
    const replayedToTheEnd = log((entries) =>
      entries.map((entry) =>
        entry.load === 2 && entry.kind === 'received' ? { ...entry, at: 1450, replayed: true } : entry,
      ),
    );
    const again = (entries: Entry[], missed: Missed = WHILE_AWAY, control: Partial<Control> = {}) =>
      judgeInterrupted(observe(entries, CALL), { ...CONTROL, ...control }, missed).again;
    expect(again(log())).toBeUndefined();
    expect(again(replayedToTheEnd)).toBe('ended-away');
    // It was kept away until the response, or no earlier try would be back in time.
    expect(again(replayedToTheEnd, [{ eventId: 'e5', isResponse: true }])).toBeUndefined();
    expect(again(replayedToTheEnd, WHILE_AWAY, { durationMs: 300 })).toBe('away-too-long');
  });

  it('has no return to tell of where nothing was interrupted', () => {
    expect(judgeCall(observe(log(), CALL), CONTROL).returned).toBeUndefined();
  });

  it('counts a result that is missing as lost, also where two control calls differ', () => {
    const lost = { name: 'lost', result: undefined } as unknown as Partial<Call>;
    expect(judge(without(5), lost, { repeatable: false })).toMatchObject({ verdict: 'fail', lost: 1 });
  });

  it('knows a call that was over before the page went', () => {
    expect(endedBeforeReturn(observe(log(), CALL))).toBe(false);
    expect(endedBeforeReturn(observe(log(), { ...CALL, settledAt: 1200 }))).toBe(true);
  });

  it('draws the gap, and a lost message where the control call had it', () => {
    const { waterfall } = judge(without(3));
    expect(waterfall?.gaps).toEqual([{ from: 200, to: 400, label: 'reload' }]);
    expect(waterfall?.lanes[0]?.marks.filter(({ kind }) => kind === 'lost')).toEqual([
      { at: 420, kind: 'lost', label: 'lost: progress 3' },
    ]);
  });

  it('says of a message that came on another stream alone where it came', () => {
    const astray = log((entries) =>
      entries.map((one) => {
        if (one.eventId !== 'e3') return one;
        const { callId: _callId, ...rest } = one;
        return { ...rest, stream: 'standalone' };
      }),
    );
    expect(judge(astray)).toMatchObject({
      verdict: 'fail',
      why: '1 message of the call arrived only on another stream, because a resumed stream contained events of another stream.',
    });
  });

  it('says of progress with the token of another call that it lacks its own, where nothing can be resumed', () => {
    const foreign = log((entries) =>
      entries.map(({ eventId, callId, ...rest }) => ({ ...rest, ...(eventId !== 'e3' && { callId }) })),
    );
    expect(judge(foreign)).toMatchObject({
      verdict: 'fail',
      cause: 'wrong-progress-token',
      why: "Progress of the call arrived without its progress token (1 message), so a page can't tell which call it belongs to.",
    });
  });

  it('fails a call that lost a message', () => {
    expect(judge(without(3))).toMatchObject({
      verdict: 'fail',
      lost: 1,
      why: '1 message of 5 never arrived.',
    });
  });

  it('sees a gap in numbers where two control calls differ', () => {
    expect(judge(without(3), {}, { repeatable: false })).toMatchObject({ verdict: 'fail', lost: 1 });
    expect(judge(log(), {}, { repeatable: false }).remarks?.[0]).toContain('Two control calls differ');
  });

  /** The page has e1 and e2, and names e2; then this comes. */
  const duplicate = (eventId: string, stream = 'c') =>
    log((entries) => [
      ...entries
        .slice(0, -1)
        .map((entry) =>
          entry.method === 'GET' ? { ...entry, requestHeaders: { 'last-event-id': 'e2' } } : entry,
        ),
      { seq: 1600, at: 1600, load: 2, kind: 'duplicate', eventId, stream, callId: 'c' },
      ...entries.slice(-1),
    ]);

  it('fails a server that sends again what the page had named', () => {
    expect(judge(duplicate('e1'), { duplicates: 1 })).toMatchObject({
      verdict: 'fail',
      why: '1 event sent again, although Last-Event-ID was already past them.',
      exchange: { method: 'GET' },
    });
  });

  it('does not blame the server for events that follow the position which the page named', () => {
    expect(judge(duplicate('e3'), { duplicates: 1 })).toMatchObject({ verdict: 'pass', duplicates: 1 });
  });

  it('blames a stream that brought the events of another one', () => {
    const finding = judge(duplicate('e3', 'standalone'), { duplicates: 1 });
    expect(finding).toMatchObject({ verdict: 'fail', exchange: { method: 'GET' } });
    expect(finding.why).toContain('1 event of the call arrived on two streams');
  });

  it('says which message was out of order', () => {
    const swapped = log((entries) => {
      const at = entries.findIndex(({ eventId }) => eventId === 'e3');
      const [third] = entries.splice(at, 1);
      return [...entries.slice(0, -1), ...(third ? [third] : []), ...entries.slice(-1)];
    });
    expect(judge(swapped).why).toBe('1 message arrived out of order. progress 3 arrived after progress 4.');
  });

  it('fails a server that holds on to the old stream', () => {
    const held = (times: number[]) =>
      log((entries) => [
        ...entries,
        ...times.map((at) => ({
          seq: at + 5000,
          at,
          load: 2,
          kind: 'http',
          method: 'GET',
          status: 409,
          stream: 'c',
        })),
      ]);
    expect(judge(held([1450, 1900, 2600]))).toMatchObject({ verdict: 'fail', exchange: { status: 409 } });
    expect(judge(held([1450, 1900, 2600])).why).toContain('409 for 1.2 s');
    const again = judgeInterrupted(observe(held([1450, 1900, 2600]), CALL), CONTROL, WHILE_AWAY).again;
    expect(again).toBe('was-slow');
    expect(judge(held([1410, 1450, 1500]))).toMatchObject({ verdict: 'pass' });
    expect(judge(held([2600]))).toMatchObject({ verdict: 'pass' });
  });

  it('fails a resumed stream that falls silent, unless the tool is silent by itself', () => {
    const stalled = log((entries) => [
      ...entries,
      { seq: 3000, at: 3000, load: 2, kind: 'stream-end', how: 'released', callId: 'c', stream: 'c' },
      {
        seq: 3001,
        at: 3001,
        load: 2,
        kind: 'received',
        replayed: true,
        callId: 'c',
        stream: 'c',
        message: {},
      },
    ]);
    expect(judge(stalled)).toMatchObject({ verdict: 'fail' });
    expect(judge(stalled).why).toContain('stalled after the replay');
    expect(judge(stalled, {}, { hasLongSilence: true })).toMatchObject({ verdict: 'pass' });
  });

  it('fails a stream that was open and silent while the page was away, if the end of the call is then replayed', () => {
    const replayedToTheEnd = log((entries) =>
      entries.map((entry) => (entry.seq > 1420 ? { ...entry, replayed: true } : entry)),
    );
    const judgeAway = (entries: Entry[]) =>
      judgeInterrupted(stalledAway(observe(entries, CALL)), CONTROL, undefined);
    expect(judgeAway(replayedToTheEnd)).toMatchObject({
      finding: { verdict: 'fail', cause: 'stream-stalls' },
      again: 'was-slow',
    });
    expect(judgeAway(log()), 'a machine that was busy').toMatchObject({ finding: { verdict: 'pass' } });
  });

  const LOST = { name: 'lost', result: undefined, why: 'gone' } as unknown as Partial<Call>;

  it('tells a server without event ids from one that refuses to resume', () => {
    const anonymous = log((entries) => entries.map(({ eventId: _, ...entry }) => entry));
    const noIds = { observed: observe(anonymous, CALL) };
    expect(judge(anonymous, LOST, noIds)).toMatchObject({
      verdict: 'fail',
      returned: { givesEventIds: false },
    });
    expect(judge(anonymous, LOST, noIds).fix).toContain('event store');
    expect(judge(anonymous, LOST)).toMatchObject({ verdict: 'fail', returned: { wasBlind: true } });
    expect(judge(anonymous, LOST).why).toContain("The page closed before the call's first event");
    const refused = log((entries) =>
      entries.map((entry) => (entry.method === 'GET' ? { ...entry, status: 400 } : entry)),
    );
    expect(judge(refused, LOST)).toMatchObject({
      verdict: 'fail',
      exchange: { method: 'GET', status: 400 },
      returned: { refused: true },
    });
  });

  it('shows the answer of the control call where the interrupted one had none yet', () => {
    const unanswered = log((entries) => entries.filter(({ kind }) => kind !== 'http'));
    expect(judge(unanswered, LOST).exchange).toMatchObject({ method: 'POST', status: 200 });
  });

  it('sees that the page had to begin anew', () => {
    const restarted = log((entries) =>
      entries.map((entry) =>
        entry.kind === 'state'
          ? { ...entry, state: { name: 'connected', how: 'restarted' } as const }
          : entry,
      ),
    );
    expect(judge(restarted, LOST)).toMatchObject({ verdict: 'fail', returned: { restarted: true } });
  });

  it('fails a call that ended in an error which the control call did not have', () => {
    expect(judge(log(), { error: { code: -1, message: 'aborted' } })).toMatchObject({ verdict: 'fail' });
    const result = { isError: true, content: [{ type: 'text', text: 'The client left' }] };
    expect(judge(log(), { result }).why).toContain('The client left');
  });
});
