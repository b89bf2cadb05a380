import { expect, test } from 'vitest';
import { withBridge } from '../../bridge/testing/withBridge.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { reach } from './reach.ts';

test('a server behind a bridge is known as one, with who replays', async () => {
  const { url } = await withBridge();
  expect(await reach(url, {})).toMatchObject({
    hasSession: true,
    bridge: { transport: 'stdio', replay: 'bridge' },
  });
});

test('an HTTP server that replays by itself keeps its own replay behind a bridge', async () => {
  const target = await startTarget('resumable');
  const servers = [{ transport: 'http', name: 'resumable', url: target.url, headers: {} }] as const;
  const { url } = await withBridge({ servers });
  expect((await reach(url, {})).bridge).toEqual({ transport: 'http', replay: 'server' });
  expect((await reach(target.url, {})).bridge).toBeUndefined();
  await target.close();
});

test('a server with sessions and 2026-07-28 at one URL is known as one', async () => {
  const dual = await startTarget('dual');
  expect(await reach(dual.url, {})).toMatchObject({ era: 'session', isDual: true });
  expect(await reach(dual.url, {}, 'session')).toMatchObject({ era: 'session', isDual: false });
  expect(await reach(dual.url, {}, 'stateless')).toMatchObject({ era: 'stateless', isDual: false });
  await dual.close();
});
