// Several servers behind one origin: over HTTP/1.1 they share the browser's six connections.
import { expect, test, type Inspector } from './inspector.ts';

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const select = (inspector: Inspector, server: string) =>
  inspector.page.evaluate((name) => window.reprise.select(name), server);

async function callEach(inspector: Inspector, names: readonly string[], ticks: number): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    await select(inspector, name);
    ids.push(await inspector.call('countdown', { ticks, intervalMs: 100 }));
  }
  return ids;
}

test(
  'seven servers of one origin, a call on each, and a reload',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { url } = await target('no-replay');
    for (const name of NAMES) await inspector.connect(url, { name });
    const ids = await callEach(inspector, NAMES, 3);
    for (const [i, name] of NAMES.entries()) {
      await select(inspector, name);
      await inspector.expectWhole(ids[i] ?? '', 3);
    }
    await inspector.reload();
    for (const { state } of await inspector.page.evaluate(() => window.reprise.servers())) {
      expect(state).toMatchObject({ name: 'connected', how: 'resumed' });
    }
  },
);

test('four servers of one origin come back from a reload with their calls', async ({ inspector, target }) => {
  const { url } = await target('resumable');
  const names = NAMES.slice(0, 4);
  for (const name of names) await inspector.connect(url, { name });
  const ids = await callEach(inspector, names, 40);
  // Each, not the last alone: a call without an event ID can't be resumed.
  for (const [i, name] of names.entries()) {
    await select(inspector, name);
    await inspector.untilReceived(ids[i] ?? '', 2);
  }
  await inspector.reload();
  for (const [i, name] of names.entries()) {
    await select(inspector, name);
    await inspector.expectWhole(ids[i] ?? '', 40);
    await expect.poll(() => inspector.state()).toMatchObject({ name: 'connected', how: 'resumed' });
  }
});
