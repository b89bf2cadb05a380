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
