import { describe, expect, it } from 'vitest';
import type { Control } from '../context.ts';
import type { Call, Entry } from '../contract.ts';
import { judgeCall } from './judgeCall.ts';
import { endedBeforeReturn, observe } from './observe.ts';

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
  repeatable: true,
  hasLongSilence: false,
  firstIdMs: 1,
  firstMessageMs: 100,
};

const judge = (entries: Entry[], call: Partial<Call> = {}, control: Partial<Control> = {}) =>
  judgeCall(observe(entries, { ...CALL, ...call }), { ...CONTROL, ...control });

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

  it('fails a call that lost a message', () => {
    expect(judge(without(3))).toMatchObject({ verdict: 'fail', lost: 1, why: '1 message of 5 never came.' });
  });

  it('sees a gap in numbers where two control calls differ', () => {
    expect(judge(without(3), {}, { repeatable: false })).toMatchObject({ verdict: 'fail', lost: 1 });
    expect(judge(log(), {}, { repeatable: false }).remarks?.[0]).toContain('Two control calls differ');
  });

  it('fails a server that sends again what was already received', () => {
    expect(judge(log(), { duplicates: 3 })).toMatchObject({ verdict: 'fail', duplicates: 3 });
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
    expect(judge(held([1450, 1900, 2600])).why).toContain('409 for 1.4 s');
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
    expect(judge(stalled).why).toContain('fell silent');
    expect(judge(stalled, {}, { hasLongSilence: true })).toMatchObject({ verdict: 'pass' });
  });

  const LOST = { name: 'lost', result: undefined, why: 'gone' } as unknown as Partial<Call>;

  it('tells a server without event ids from one that refuses to resume', () => {
    const anonymous = log((entries) => entries.map(({ eventId: _, ...entry }) => entry));
    expect(judge(anonymous, LOST)).toMatchObject({ verdict: 'fail', returned: { givesEventIds: false } });
    expect(judge(anonymous, LOST).fix).toContain('event store');
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
  });
});
