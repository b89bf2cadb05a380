import { describe, expect, it } from 'vitest';
import { loadedPart, loadPart, loadPartPatiently, PartMissing } from './loadPart.ts';

function setUp(failures: number) {
  const pauses: number[] = [];
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries <= failures) throw new TypeError('Failed to fetch dynamically imported module');
    return 'part';
  };
  const pause = async (ms: number) => void pauses.push(ms);
  return { load, pause, pauses, tries: () => tries };
}

describe('a part of the app that can’t be fetched', () => {
  it('is asked for again, after a pause', async () => {
    const { load, pause, pauses } = setUp(2);
    expect(await loadPart(load, pause)).toBe('part');
    expect(pauses).toEqual([300, 1500]);
  });

  it('is missing after three tries, in words', async () => {
    const { load, pause, tries } = setUp(Infinity);
    await expect(loadPart(load, pause)).rejects.toThrow(PartMissing);
    expect(tries()).toBe(3);
  });

  it('is waited for by a script, with growing pauses', async () => {
    const { load, pause, pauses } = setUp(7);
    expect(await loadPartPatiently(load, pause)).toBe('part');
    expect(pauses).toEqual([300, 600, 1200, 2400, 4800, 5000, 5000]);
  });
});

it('a part that was loaded is there at once', async () => {
  const { load, pause } = setUp(1);
  expect(loadedPart(load)).toBeUndefined();
  await loadPart(load, pause);
  expect(loadedPart(load)).toBe('part');
});
