import { expect, test } from 'vitest';
import { AppViews } from './appViews.ts';
import type { AppBody } from '../entry/entry.ts';

const of = (rest: Omit<AppBody, 'callId' | 'view'>): AppBody => ({ callId: 'call', view: 'v', ...rest });
const OPENED = of({ step: 'opened', uri: 'ui://a', sha256: 'first', origin: 'own' });

function fold(...entries: readonly AppBody[]) {
  const views = new AppViews();
  for (const entry of entries) views.fold(entry);
  return views.get('call');
}

test('a view that is opened again keeps the document that was shown first', () => {
  const again = { ...OPENED, sha256: 'second' };
  expect(fold(OPENED, again)).toMatchObject({ sha256: 'first', opened: 2 });
});

test('the same finding is listed once and counted', () => {
  const csp = of({ step: 'finding', finding: 'csp', appText: 'img-src https://a.example' });
  const other = { ...csp, appText: 'img-src https://b.example', more: 4 };
  expect(fold(OPENED, csp, csp, other)?.findings).toEqual([
    { finding: 'csp', text: 'img-src https://a.example', count: 2 },
    { finding: 'csp', text: 'img-src https://b.example', count: 5 },
  ]);
});

test('messages are kept, and the last model context replaces the one before', () => {
  const received = (method: string, appText: string) => of({ step: 'received', method, appText });
  const facts = fold(
    OPENED,
    received('ui/message', 'one'),
    received('ui/update-model-context', 'old'),
    received('ui/message', 'two'),
    received('ui/update-model-context', 'new'),
  );
  expect(facts).toMatchObject({ messages: ['one', 'two'], modelContext: 'new' });
});

test('a hostile view cannot make the facts grow', () => {
  const flood = Array.from({ length: 500 }, (_, i) => [
    of({ step: 'finding', finding: 'csp', appText: `${i}${'x'.repeat(9000)}` }),
    of({ step: 'received', method: 'ui/message', appText: `${i}${'x'.repeat(9000)}` }),
  ]).flat();
  expect(JSON.stringify(fold(OPENED, ...flood)).length).toBeLessThan(20_000);
});

test('the facts of the newest fifty views are kept', () => {
  const views = new AppViews();
  for (let i = 0; i < 60; i += 1) views.fold({ ...OPENED, callId: `call ${i}` });
  expect([...views.keys()]).toHaveLength(50);
  expect(views.has('call 9')).toBe(false);
  expect(views.has('call 59')).toBe(true);
});
