import { expect, test } from 'vitest';
import { NO_LISTS } from '../../client/inspector/index.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { CALL, entryOf, reloadedCall } from '../../timeline/testing/logOf.ts';
import { PlayedServer } from './playedServer.ts';

const OF = {
  id: 'a',
  name: 'demo',
  url: 'http://127.0.0.1/',
  lists: NO_LISTS,
  session: undefined,
  settings: {},
};
const play = (entries: readonly Entry[] = reloadedCall) => new PlayedServer(OF, entries, () => 0);

test('shows what had happened so far, and the rest when it is played', () => {
  const server = play();
  expect(server.log.state.calls.size).toBe(0);
  server.playTo(11);
  expect(server.log.state.calls.get(CALL)).toMatchObject({ received: 1, progress: { progress: 1 } });
  expect(server.state).toMatchObject({ name: 'connected', how: 'fresh' });
  server.playTo(reloadedCall.length);
  expect(server.log.state.calls.get(CALL)).toMatchObject({ name: 'settled', replayed: 1 });
  expect(server.log.state.calls.get(CALL)?.result).toMatchObject({ content: [{ text: 'Zürich is done' }] });
});

test('hands on each entry once, in order', () => {
  const server = play();
  const seen: number[] = [];
  server.log.appended.on(({ entries }) => seen.push(...entries.map(({ seq }) => seq)));
  for (const count of [3, 3, 2, 10, 25]) server.playTo(count);
  expect(seen).toEqual(reloadedCall.map(({ seq }) => seq));
});

test('has every played entry for those who look through the log, also those that left memory', async () => {
  const many = Array.from({ length: 12_500 }, (_, i) =>
    entryOf(i + 7, i, 1, { kind: 'load', reason: 'opened' }),
  );
  const server = play(many);
  server.playTo(12_100);
  const seen: number[] = [];
  for await (const entries of server.entries()) seen.push(...entries.map(({ seq }) => seq));
  expect(seen).toHaveLength(12_100);
  expect([seen[0], seen.at(-1)]).toEqual([7, 12_106]);
});

test('calls nothing', async () => {
  await expect(play().execute()).rejects.toThrow('no server to call');
});
