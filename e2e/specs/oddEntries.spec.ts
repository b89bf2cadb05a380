// An odd message or an odd entry of a file costs only itself: its neighbors are there, and the app starts again.
import { writeFile } from 'node:fs/promises';
import { expect } from './inspector.ts';
import { event, test } from './rawSseServer.ts';
import { timelineOf } from './timelinePage.ts';

const progress = (token: string, n: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: token, progress: n, message: `tick ${n}` },
});

test('one odd message of a chunk: its neighbors are stored, and the page resumes after the last of them', async ({
  inspector,
  raw,
}) => {
  const odd = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: { toString: null } },
  };
  let call = '';
  const server = await raw({
    tools: [{ name: 'count', inputSchema: { type: 'object' } }],
    answer: ({ id }) => {
      call = id;
      const events = [progress(id, 1), odd, progress(id, 2)].map((one, n) => event(`e${n + 1}`, one));
      return { text: events.join(''), end: false };
    },
    resume: () => event('e4', progress(call, 3)) + event('e5', { jsonrpc: '2.0', id: call, result: {} }),
  });
  await inspector.connect(server.url);
  const id = await inspector.call('count');
  await inspector.untilReceived(id, 3);
  expect(await inspector.ticks(id)).toEqual([1, 2]);
  await inspector.reload();
  expect(await inspector.untilEnded(id)).toMatchObject({ name: 'settled', received: 5 });
  expect(server.resumedFrom).toContain('e3');
  expect(await inspector.ticks(id)).toEqual([1, 2, 3]);
  const ids = (await inspector.entries(`call:${id}`)).map(({ eventId }) => eventId).filter(Boolean);
  expect(ids).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
});

test('a log with odd entries is imported without them, and the app starts again', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'live' });
  const id = await inspector.call('countdown', { ticks: 2, intervalMs: 0 });
  await inspector.untilEnded(id);
  const log = JSON.parse(await page.evaluate(() => window.reprise.exportLog())) as {
    entries: { seq: number; load: number }[];
  };
  const { seq = 0, load = 1 } = log.entries.at(-1) ?? {};
  const stamp = (n: number) => ({ seq: seq + n, at: 1, load });
  const reason = { code: 'recorded', text: 'x' };
  const added = [
    { ...stamp(1), kind: 'call', callId: id, change: { name: 'ended', reason } },
    { ...stamp(2), at: 9e15, kind: 'note', level: 'info', reason },
    { ...stamp(3), kind: 'question', requestId: '1', change: { name: { toString: null } } },
    { ...stamp(4), kind: 'note', level: 'info', reason: { ...reason, text: 'the last one' } },
  ];
  const path = test.info().outputPath('log.json');
  await writeFile(path, JSON.stringify({ ...log, entries: [...log.entries, ...added] }));
  await timelineOf(page).region.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export and import' });
  await dialog.getByLabel('Open a Reprise log').setInputFiles(path);
  await expect(dialog).toBeHidden();
  const status = page.getByRole('status').filter({ hasText: /Imported/ });
  await expect(status).toContainText('3 entries couldn’t be read.');
  await inspector.reload();
  await expect(status).toContainText('3 entries couldn’t be read.');
  await expect(page.getByText('couldn’t start')).toHaveCount(0);
  expect(await inspector.entries('the last one')).toHaveLength(1);
  await page.evaluate(() => window.reprise.select('live'));
  await expect(page.getByRole('status').filter({ hasText: 'Reconnected' })).toBeVisible();
});
