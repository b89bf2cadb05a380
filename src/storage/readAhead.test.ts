import { expect, test } from 'vitest';
import { MemoryStore } from './memoryStore.ts';
import { ReadAhead } from './readAhead.ts';

class CountingStore extends MemoryStore {
  reads: (readonly string[])[] = [];

  override getMany(keys: readonly string[]): Promise<readonly unknown[]> {
    this.reads.push(keys);
    return super.getMany(keys);
  }
}

async function filled(): Promise<CountingStore> {
  const disk = new CountingStore();
  await disk.write([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  return disk;
}

test('what was named is read once, in one go', async () => {
  const disk = await filled();
  const store = new ReadAhead(disk, ['a', 'a', 'b']);
  expect(await store.getMany(['a', 'b'])).toEqual([1, 2]);
  expect(await store.get('a')).toBe(1);
  expect(disk.reads).toEqual([['a', 'b']]);
});

test('a record is handed out as often as it was named, and then read as it is now', async () => {
  const disk = await filled();
  const store = new ReadAhead(disk, ['a']);
  await disk.write([['a', 'new']]);
  expect([await store.get('a'), await store.get('a')]).toEqual([1, 'new']);
});

test('two that ask at the same time both get it', async () => {
  const store = new ReadAhead(await filled(), ['a', 'a']);
  expect(await Promise.all([store.get('a'), store.get('a')])).toEqual([1, 1]);
});

test('what is written here is not handed out as it was', async () => {
  const store = new ReadAhead(await filled(), ['a', 'b']);
  await store.write([['a', 'new']], ['b']);
  expect(await store.getMany(['a', 'b'])).toEqual(['new', undefined]);
});

test('other records are read when they are asked for', async () => {
  const disk = await filled();
  const store = new ReadAhead(disk, ['a']);
  expect(await store.getMany(['a', 'c'])).toEqual([1, 3]);
  expect(disk.reads).toEqual([['a'], ['a', 'c']]);
});

test('without a name nothing is read ahead', async () => {
  const disk = await filled();
  await new ReadAhead(disk, []).keys();
  expect(disk.reads).toEqual([]);
});

test('a read that failed is made again, and its failure told', async () => {
  const disk = await filled();
  disk.getMany = () => Promise.reject(new Error('denied'));
  await expect(new ReadAhead(disk, ['a']).get('a')).rejects.toThrow('denied');
});
