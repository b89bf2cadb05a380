import { describe, expect, it } from 'vitest';
import { MemoryStore } from './memoryStore.ts';
import { TabSecrets } from './tabSecrets.ts';
import { Vault } from './vault.ts';

function keepTexts() {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (key: string) => texts.get(key),
    write: (key: string, text: string | undefined) =>
      text === undefined ? void texts.delete(key) : void texts.set(key, text),
  };
}

describe('secrets of one tab', () => {
  it('are sealed with the key of the browser, and in the tab alone', async () => {
    const [store, tab] = [new MemoryStore(), keepTexts()];
    await new Vault(store, new TabSecrets(tab, 'A')).put('a', 'very-secret');
    expect(await store.keys()).toEqual(['vault/key']);
    expect([...tab.texts.values()].join()).not.toContain('very-secret');
    expect(await new Vault(store, new TabSecrets(tab, 'A')).get('a')).toBe('very-secret');
    expect(await new Vault(store, new TabSecrets(tab, 'B')).get('a')).toBeUndefined();
    expect(await new Vault(store, new TabSecrets(keepTexts(), 'A')).get('a')).toBeUndefined();
  });

  it('can be handed over to another tab, and taken away', async () => {
    const [store, tab] = [new MemoryStore(), keepTexts()];
    const [mine, others] = [new TabSecrets(tab, 'A'), new TabSecrets(keepTexts(), 'A')];
    await new Vault(store, mine).put('x/a', 1);
    await new Vault(store, mine).put('y/b', 2);
    others.text = mine.text;
    expect(await new Vault(store, others).get('x/a')).toBe(1);
    await new Vault(store, mine).forgetAll('x/');
    expect(await mine.keys()).toEqual(['vault/secret/y/b']);
    await new Vault(store, mine).forget('y/b');
    expect(tab.texts.size).toBe(0);
  });

  it('that are damaged are none', async () => {
    const secrets = new TabSecrets(keepTexts(), 'A');
    for (const text of ['nonsense', '[]', '{"a":1,"b":"{}"}']) {
      secrets.text = text;
      expect(await secrets.getMany(['a', 'b'])).toEqual([undefined, undefined]);
    }
  });
});
