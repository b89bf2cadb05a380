import { expect, test } from 'vitest';
import { draftKey, Drafts } from './drafts.ts';
import { forgetKept } from './forgetKept.ts';
import { keepText } from './keptText.ts';
import { ViewPrefs } from '../viewPrefs.svelte.ts';

const DRAFT = { mode: 'form', values: { a: '1' }, json: '' } as const;

function keepMuch(servers: readonly string[]) {
  const kept = keepText(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  for (const server of servers) {
    for (const kind of ['saved', 'timeline', 'tool'])
      kept.write(`reprise.${kind}/${encodeURIComponent(server)}`, 'x');
    new Drafts(kept).write(draftKey(server, 'tool', 'countdown'), DRAFT);
    new Drafts(kept).write(draftKey(server, 'question', '1/2'), DRAFT);
    new ViewPrefs(kept, server).write('section', 'info');
  }
  return kept;
}

test('takes everything of a server away, and nothing of one whose name begins alike', () => {
  const kept = keepMuch(['localhost:3000', 'localhost:3000/mcp']);
  forgetKept(kept, 'localhost:3000');
  expect(kept.keys().toSorted()).toEqual(keepMuch(['localhost:3000/mcp']).keys().toSorted());
});

test('leaves what is of no server', () => {
  const kept = keepMuch(['one']);
  kept.write('reprise.theme', 'dark');
  forgetKept(kept, 'one');
  expect(kept.keys()).toEqual(['reprise.theme']);
});
