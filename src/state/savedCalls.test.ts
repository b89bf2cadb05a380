import { describe, expect, test } from 'vitest';
import type { KeptText } from './storage/keptText.ts';
import { SavedCalls } from './savedCalls.svelte.ts';

function memory(): KeptText & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (key) => texts.get(key),
    keys: () => [...texts.keys()],
    write: (key, text) => {
      if (text === undefined) texts.delete(key);
      else texts.set(key, text);
    },
  };
}

describe('saved calls', () => {
  test('are kept by server and tool, and replaced by name', () => {
    const kept = memory();
    const saved = new SavedCalls(kept, new EventTarget());
    saved.save('s', { name: 'small', tool: 'echo', args: { a: 1 } });
    saved.save('s', { name: 'other', tool: 'sum', args: {} });
    saved.save('t', { name: 'small', tool: 'echo', args: { a: 2 } });
    saved.save('s', { name: 'small', tool: 'echo', args: { a: 3 } });
    const again = new SavedCalls(kept, new EventTarget());
    expect(again.of('s', 'echo')).toEqual([{ name: 'small', tool: 'echo', args: { a: 3 } }]);
    expect(again.of('t', 'echo')).toEqual([{ name: 'small', tool: 'echo', args: { a: 2 } }]);
    again.remove('s', 'echo', 'small');
    expect(saved.of('s', 'echo')).toEqual([]);
    expect(saved.of('s', 'sum')).toHaveLength(1);
  });

  test.each(['nonsense', '{}', '[1, {"name": "x"}]'])('%s in the storage is no saved call', (text) => {
    const kept = memory();
    kept.texts.set('reprise.saved/s', text);
    expect(new SavedCalls(kept, new EventTarget()).of('s', 'x')).toEqual([]);
  });
});
