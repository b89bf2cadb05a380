import { expect, it } from 'vitest';
import { shrink } from './shrink.ts';

const numbers = Array.from({ length: 40 }, (_, i) => i);

it.each([[[7]], [[0]], [[39]], [[3, 31]], [[0, 20, 39]]])('finds %j', async (guilty: readonly number[]) => {
  let runs = 0;
  const fails = async (some: readonly number[]) => {
    runs += 1;
    return guilty.every((one) => some.includes(one));
  };
  expect(await shrink(numbers, fails)).toEqual(guilty);
  expect(runs).toBeLessThan(120);
});
