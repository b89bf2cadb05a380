import { expect, test, vi } from 'vitest';
import type { KeptText } from './storage/keptText.ts';
import { StartNotes } from './startNotes.ts';

function keptInMemory(): KeptText {
  const texts = new Map<string, string>();
  return {
    read: (key) => texts.get(key),
    keys: () => [...texts.keys()],
    write: (key, text) => void (text === undefined ? texts.delete(key) : texts.set(key, text)),
  };
}

/** As many locks as are asked for; a page that is gone lets go of its own. */
function locksInMemory() {
  const held = new Set<string>();
  return {
    held,
    query: () => Promise.resolve({ held: [...held].map((name) => ({ name })) }),
    async request(name: string, callback: () => Promise<void>) {
      held.add(name);
      await callback();
      held.delete(name);
    },
  };
}

test('a start that did not finish is known to the next one', async () => {
  const kept = keptInMemory();
  new StartNotes(kept, undefined).begin('odd');
  const next = new StartNotes(kept, undefined);
  await next.read();
  expect(next.hasFailed('odd')).toBe(true);
  expect(next.hasFailed('good')).toBe(false);
});

test('a start that finished leaves nothing', async () => {
  const kept = keptInMemory();
  const first = new StartNotes(kept, undefined);
  first.begin('good');
  first.succeed();
  const next = new StartNotes(kept, undefined);
  await next.read();
  expect(next.hasFailed('good')).toBe(false);
  expect(kept.keys()).toEqual([]);
});

test('a start that was left has not failed, unless it had failed before', async () => {
  const kept = keptInMemory();
  const [left, broken] = [new StartNotes(kept, undefined), new StartNotes(kept, undefined)];
  left.begin('good');
  left.leave();
  broken.begin('odd');
  broken.fail();
  broken.leave();
  const next = new StartNotes(kept, undefined);
  await next.read();
  expect([next.hasFailed('good'), next.hasFailed('odd')]).toEqual([false, true]);
});

test('a tab that is starting at the same time has not failed', async () => {
  const [kept, locks] = [keptInMemory(), locksInMemory()];
  const other = new StartNotes(kept, locks);
  other.begin('demo');
  const next = new StartNotes(kept, locks);
  await next.read();
  expect(next.hasFailed('demo')).toBe(false);
  other.fail();
  await Promise.resolve();
  const last = new StartNotes(kept, locks);
  await last.read();
  expect(last.hasFailed('demo')).toBe(true);
});

test('a server that the user asks for is forgiven', async () => {
  const kept = keptInMemory();
  new StartNotes(kept, undefined).begin('odd');
  const next = new StartNotes(kept, undefined);
  await next.read();
  next.forgive('odd');
  expect(next.hasFailed('odd')).toBe(false);
  expect(kept.keys()).toEqual([]);
});

test('a lock that the browser takes away is no error', async () => {
  const unhandled = vi.fn();
  process.once('unhandledRejection', unhandled);
  const going = () => Promise.reject(new DOMException('The browsing context is going away', 'AbortError'));
  new StartNotes(keptInMemory(), { ...locksInMemory(), request: going }).begin('good');
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
