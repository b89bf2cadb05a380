import { expect, test } from 'vitest';
import { keepText } from './keptText.ts';
import { upgradeKept } from './upgradeKept.ts';

function keptWith(texts: Readonly<Record<string, string>>) {
  const kept = keepText(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  for (const [key, text] of Object.entries(texts)) kept.write(key, text);
  return kept;
}

const all = (kept: ReturnType<typeof keptWith>) =>
  Object.fromEntries(kept.keys().map((key) => [key, kept.read(key)]));

test('what was kept by name is kept by ID', () => {
  const kept = keptWith({
    'reprise.selected': 'host:1/mcp',
    'reprise.theme': 'dark',
    'reprise.saved/host:1/mcp': 'calls',
    'reprise.draft/host%3A1%2Fmcp/tool/a/b': 'draft',
    'reprise.place/host%3A1/section': 'of another server',
  });
  upgradeKept(kept, new Map([['host:1/mcp', 'ID1']]), 'reprise.selected');
  expect(all(kept)).toEqual({
    'reprise.selected': 'ID1',
    'reprise.theme': 'dark',
    'reprise.saved/ID1': 'calls',
    'reprise.draft/ID1/tool/a/b': 'draft',
    'reprise.place/host%3A1/section': 'of another server',
  });
});

test('what a tab of the earlier version writes later replaces nothing', () => {
  const texts = { 'reprise.saved/x': 'old', 'reprise.saved/ID1': 'new' };
  const kept = keptWith(texts);
  upgradeKept(kept, new Map([['x', 'ID1']]), 'reprise.selected');
  expect(all(kept)).toEqual(texts);
});
