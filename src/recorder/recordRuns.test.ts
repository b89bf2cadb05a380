import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRun, runLength, type Packed } from '../log/entry/entryRun.ts';
import { messageOf } from '../log/entry/messageOf.ts';
import { packEntries } from '../log/entry/packedEntries.ts';
import { Log } from '../log/log.ts';
import { foldAll } from '../log/state/foldAll.ts';
import { foldStored } from '../log/state/foldStored.ts';
import { ServerReducer } from '../log/state/serverReducer.ts';
import { LogIndex } from '../timeline/logIndex.ts';
import type { Frame } from '../wire/exchange.ts';
import { Redactor } from '../wire/redact.ts';
import { MessageForms } from './messageForms.ts';
import { recordFrames } from './recordFrames.ts';
import { ReplayFilter } from './replayFilter.ts';
import { RunWatch } from './runWatch.ts';

const CALL = '01CALL';
const SECRET = 'secret-token-1';

interface Recorded extends Pick<Log, 'state' | 'tail'> {
  readonly packed: readonly Packed[];
}

/** One connection of a page with one open call, whose frames come in chunks. */
function record(frames: readonly Frame[], sizes: readonly number[], listens: boolean): Recorded {
  const redactor = new Redactor();
  redactor.protectValues([SECRET]);
  const log = new Log('s', { now: () => 5 });
  const packed: Packed[] = [];
  log.appended.on((batch) => packed.push(...batch.packed));
  const change = { name: 'sending', tool: 't', args: {}, repeatable: false } as const;
  log.append({ body: { kind: 'call', callId: CALL, change } });
  log.append({ body: { kind: 'sent', stream: CALL, callId: CALL, raw: '{}' } });
  const seen = new ReplayFilter();
  const [runs, forms] = [new RunWatch(listens), new MessageForms()];
  const of = { stream: CALL, callId: CALL, replaying: listens, listens };
  for (let at = 0, i = 0; at < frames.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    const { calls, streams } = log.state;
    const cursor = streams.get(CALL)?.cursor;
    const context = { ...of, seen, runs, forms, redactor, calls, cursor };
    log.appendAll(recordFrames(frames.slice(at, at + size), context).drafts);
    at += size;
  }
  return { state: log.state, tail: log.tail, packed };
}

const params = fc.oneof(
  fc.record({ progressToken: fc.constantFrom(CALL, CALL, CALL, 'other'), progress: fc.nat(9) }),
  fc.record({ progress: fc.nat(9), total: fc.constantFrom(5, 9), message: fc.constantFrom('a', SECRET) }),
  fc.record({ progressToken: fc.constant(CALL), progress: fc.constantFrom<unknown>(1.5, 1e300, '2') }),
);
const data = fc.oneof(
  { weight: 6, arbitrary: params.map((one) => ({ method: 'notifications/progress', params: one })) },
  {
    weight: 3,
    arbitrary: fc
      .nat(9)
      .map((n) => ({ method: 'notifications/message', params: { level: 'info', data: { n } } })),
  },
  fc.constant({ method: 'notifications/tools/list_changed' }),
);
const frames = fc.array(
  fc.record({ id: fc.option(fc.nat(60)), one: data }).map(({ id, one }): Frame => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...one });
    return id === null ? { data: text } : { id: `e${id}`, data: text };
  }),
  { maxLength: 60 },
);

describe('frames that come in one chunk', () => {
  it('are recorded, folded and indexed as frames that come one by one', () => {
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        fc.boolean(),
        (all, sizes, listens) => {
          const [single, chunked] = [record(all, [1], listens), record(all, sizes, listens)];
          expect(chunked.tail).toEqual(single.tail);
          expect(chunked.state.snapshot()).toEqual(single.state.snapshot());
          expect(chunked.state.recovered).toBe(single.state.recovered);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('become one run, if they only count', () => {
    const burst = Array.from({ length: 100 }, (_, i): Frame => {
      const progress = { progressToken: CALL, progress: i, message: `step ${i}` };
      const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: progress });
      return { id: String(i), data: text };
    });
    const { packed } = record(burst, [100], false);
    expect(packed.filter(isRun).map(runLength)).toEqual([98]);
    expect(packed).toHaveLength(5);
  });
});

describe('a run', () => {
  it('changes the state and the index as its entries do', () => {
    fc.assert(
      fc.property(frames, fc.boolean(), fc.nat(60), (all, listens, known) => {
        const { tail } = record(all, [1], listens);
        const packed = packEntries(tail);
        const [whole, one] = [new ServerReducer('s'), new ServerReducer('s')];
        foldStored(one, tail);
        foldAll(
          whole,
          packed.map((item) => (isRun(item) ? { run: item } : { entry: item, message: messageOf(item) })),
        );
        expect(whole.snapshot()).toEqual(one.snapshot());
        const index = new LogIndex();
        index.add(tail.slice(0, known));
        index.add(packed);
        const single = new LogIndex();
        single.add(tail);
        const facts = (log: LogIndex) =>
          tail.map((_, i) => [
            log.seqAt(i),
            log.timeAt(i),
            log.shapeAt(i),
            log.sizeAt(i),
            log.shapesInBlock(i),
          ]);
        expect(facts(index)).toEqual(facts(single));
        expect(index.exchanges.loads).toEqual(single.exchanges.loads);
      }),
    );
  });
});
