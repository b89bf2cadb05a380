import { expect, it } from 'vitest';
import { createPageLocks } from './pageLocks.ts';

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A holder that lets go when the test says so. */
function hold() {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release };
}

it('gives a name to one holder at a time, in the order in which they asked', async () => {
  const locks = createPageLocks();
  const [one, two] = [hold(), hold()];
  const order: string[] = [];
  const take = (name: string, { held }: ReturnType<typeof hold>) =>
    locks.request('a', { signal: never }, () => {
      order.push(name);
      return held;
    });
  const first = take('one', one);
  const second = take('two', two);
  await locks.request('another', { signal: never }, () => Promise.resolve());
  expect(order).toEqual(['one']);
  one.release();
  await first;
  await settled();
  expect(order).toEqual(['one', 'two']);
  two.release();
  await second;
});

it('goes on to the next where a holder fails, or where one no longer waits', async () => {
  const locks = createPageLocks();
  const one = hold();
  const first = locks.request('a', { signal: never }, () => one.held);
  const abort = new AbortController();
  const second = locks.request('a', { signal: abort.signal }, () => Promise.resolve());
  let isThird = false;
  const third = locks.request('a', { signal: never }, () => {
    isThird = true;
    return Promise.reject(new Error('mine'));
  });
  const fourth = locks.request('a', { signal: never }, () => Promise.resolve());
  abort.abort(new Error('gone'));
  await settled();
  expect(isThird).toBe(false);
  one.release();
  await first;
  await expect(second).rejects.toThrow('gone');
  await expect(third).rejects.toThrow('mine');
  await fourth;
});
