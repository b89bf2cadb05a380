import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from './memoryStore.ts';
import { Vault } from './vault.ts';

describe('the vault', () => {
  it('gives a secret back, to a later page as well', async () => {
    const store = new MemoryStore();
    await new Vault(store).put('a', { bearer: 'very-secret-token' });
    expect(await new Vault(store).get('a')).toEqual({ bearer: 'very-secret-token' });
  });

  it('stores nothing that can be read', async () => {
    const store = new MemoryStore();
    await new Vault(store).put('a', { bearer: 'very-secret-token' });
    for (const key of await store.keys()) {
      const value = await store.get(key);
      if (value instanceof CryptoKey) expect(value.extractable).toBe(false);
      else expect(Buffer.from((value as { data: ArrayBuffer }).data).toString()).not.toContain('very-secret');
    }
  });

  it('does not open a secret that was moved to another owner', async () => {
    const store = new MemoryStore();
    const vault = new Vault(store);
    await vault.put('a', 'secret');
    await store.write([['vault/secret/b', await store.get('vault/secret/a')]]);
    expect(await vault.get('b')).toBeUndefined();
  });

  it('does not open a secret for another origin than its own', async () => {
    const vault = new Vault(new MemoryStore());
    const sealed = await vault.seal('a', 'secret', 'https://a.example');
    expect(await vault.unseal('a', sealed, 'https://a.example')).toBe('secret');
    expect(await vault.unseal('a', sealed, 'https://b.example')).toBeUndefined();
    expect(await vault.unseal('a', sealed)).toBeUndefined();
  });

  it('forgets', async () => {
    const store = new MemoryStore();
    const vault = new Vault(store);
    await vault.put('a', 'secret');
    await vault.forget('a');
    expect(await vault.get('a')).toBeUndefined();
  });
});
