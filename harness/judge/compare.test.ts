import { describe, expect, it } from 'vitest';
import { checkNumbers, compareWithControl, isRepeatable, type Received } from './compare.ts';
import { fingerprint } from './fingerprint.ts';

const progress = (number: number, stream = 'call'): Received => ({
  stream,
  message: { method: 'notifications/progress', params: { progressToken: 'x', progress: number } },
});
const CONTROL = [1, 2, 3, 4, 5].map((number) => progress(number));

describe('fingerprint', () => {
  it('ignores ids, tokens and times, and keeps what a message says', () => {
    const one = {
      id: 1,
      result: {
        text: 'done at 2026-01-02T03:04:05Z by 0b5e8f2c-1111-4222-8333-444455556666',
        at: 1_760_000_000_000,
      },
    };
    const other = {
      id: 'z',
      result: {
        at: 1_770_000_000_123,
        text: 'done at 2027-05-06T07:08:09.123Z by 9a9a9a9a-0000-4000-8000-123412341234',
      },
    };
    expect(fingerprint(one)).toBe(fingerprint(other));
    expect(fingerprint({ result: { step: 1 } })).not.toBe(fingerprint({ result: { step: 2 } }));
  });
});

describe('isRepeatable', () => {
  it('takes two calls that say the same in another order for the same', () => {
    expect(isRepeatable([{ a: 1 }, { b: 2 }], [{ b: 2 }, { a: 1 }])).toBe(true);
  });
  it('sees that a tool says something else each time', () => {
    expect(isRepeatable([{ a: 1 }], [{ a: 2 }])).toBe(false);
    expect(isRepeatable([{ a: 1 }], [{ a: 1 }, { a: 1 }])).toBe(false);
  });
});

describe('compareWithControl', () => {
  it('finds nothing in a call that is whole', () => {
    expect(compareWithControl(CONTROL, CONTROL)).toEqual({ lost: 0, outOfOrder: 0, missing: [] });
  });
  it('names the messages that did not come', () => {
    expect(
      compareWithControl(
        CONTROL,
        [1, 2, 5].map((n) => progress(n)),
      ),
    ).toMatchObject({ lost: 2, missing: [2, 3] });
  });
  it('counts what came behind something later', () => {
    expect(
      compareWithControl(
        CONTROL,
        [1, 2, 4, 3, 5].map((n) => progress(n)),
      ).outOfOrder,
    ).toBe(1);
  });
  it('expects no order between two streams', () => {
    const test = [
      progress(1),
      progress(3),
      progress(2, 'standalone'),
      progress(5),
      progress(4, 'standalone'),
    ];
    expect(compareWithControl(CONTROL, test)).toMatchObject({ lost: 0, outOfOrder: 0 });
  });
  it('counts equal messages one by one', () => {
    expect(compareWithControl([progress(1), progress(1)], [progress(1)]).lost).toBe(1);
  });
});

describe('checkNumbers', () => {
  it('sees a gap in numbers that are evenly spaced', () => {
    expect(checkNumbers([10, 20, 50].map((n) => progress(n)))).toMatchObject({ lost: 2 });
  });
  it('does not take a percentage that jumps for a loss', () => {
    expect(checkNumbers([1, 2.5, 7.2].map((n) => progress(n)))).toMatchObject({ lost: 0 });
  });
  it('sees numbers that go backwards', () => {
    expect(checkNumbers([1, 2, 1].map((n) => progress(n))).outOfOrder).toBe(1);
  });
});
