import { expect, test, vi } from 'vitest';
import { Emitter } from './emitter.ts';

test('a listener that fails stops neither the others nor the emitter, and its error is reported', () => {
  const reported = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => undefined);
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  emitter.on(() => {
    throw new Error('This listener fails.');
  });
  emitter.on((value) => heard.push(value));
  emitter.emit(1);
  expect(heard).toEqual([1]);
  expect(reported.mock.lastCall?.[0]).toThrow('This listener fails.');
  reported.mockRestore();
});
