import { expect, test } from 'vitest';
import type { Entry } from '../../log/entry/entry.ts';
import { LogReader } from '../../storage/logReader.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { printLogFile } from '../../timeline/share/logFile.ts';
import { reloadedCall } from '../../timeline/testing/logOf.ts';
import { checkLogFile, storeLogFile } from './importLog.ts';

async function fileOf(entries: readonly Entry[]) {
  async function* chunks() {
    yield entries;
  }
  const info = { server: 'there', url: 'http://127.0.0.1:1/mcp', exportedAt: 1 };
  const pieces: string[] = [];
  for await (const piece of printLogFile(info, chunks())) pieces.push(piece);
  return {
    name: 'log.json',
    pieces: async function* () {
      yield* pieces;
    },
  };
}

test('an imported log is read as it was, and nothing of it goes on', async () => {
  const store = new MemoryStore();
  const open = reloadedCall.filter(({ seq }) => seq < 20);
  const file = await fileOf(open);
  expect(await checkLogFile(file)).toEqual({
    server: 'there',
    url: 'http://127.0.0.1:1/mcp',
    skipped: 0,
  });
  await storeLogFile(store, 'mine', file, 7);
  const reader = new LogReader(store, 'mine');
  const { state, segments, damage, isImported } = await reader.restore();
  expect(damage).toEqual([]);
  expect(isImported).toBe(true);
  expect((await reader.read(segments)).flat()).toEqual(open);
  expect(state).toMatchObject({
    state: { name: 'disconnected', reason: { code: 'imported', name: 'log.json' } },
    streams: [],
    questions: [],
    calls: [{ tool: 'countdown', name: 'unknown', reason: { code: 'log-ended' } }],
  });
});
