// The transport of 2024-11-05: connected to, and honest about what a reload ends.
import { expect, range, test } from './inspector.ts';
import { openSection } from './sections.ts';

const OVER_OLD_SSE = 'Connected over HTTP+SSE (deprecated)';

test('calls with progress, questions, cancel and disconnect over the old HTTP+SSE transport', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('sse');
  await inspector.connect(server.url);
  await expect(page.getByRole('status')).toHaveText(OVER_OLD_SSE);

  const counted = await inspector.untilEnded(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }));
  expect(counted).toMatchObject({ name: 'settled', received: 4, replayed: 0 });
  expect(await inspector.ticks(counted.id)).toEqual(range(3));

  const asking = await inspector.call('ask', { question: 'Which colour?' });
  await inspector.answer(await inspector.untilAsked(), { action: 'accept', content: { answer: 'blue' } });
  expect((await inspector.untilEnded(asking)).result).toMatchObject({ content: [{ type: 'text' }] });
  const sampling = await inspector.call('sample', { prompt: 'Say something.' });
  const sampled = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Something.' } };
  await inspector.answer(await inspector.untilAsked(), sampled);
  expect(JSON.stringify((await inspector.untilEnded(sampling)).result)).toContain('Something.');

  const long = await inspector.call('countdown', { ticks: 500, intervalMs: 20 });
  await inspector.untilReceived(long, 1);
  await page.evaluate((id) => window.reprise.cancel(id), long);
  expect(await inspector.callNamed(long)).toMatchObject({ name: 'cancelled' });

  const crashed = await inspector.untilEnded(await inspector.call('crash', { afterMs: 0 }));
  expect(crashed).toMatchObject({ name: 'settled', error: { code: expect.any(Number) } });

  // The log has the exchanges, and nobody can join the session with what stands in it.
  const http = await inspector.entries('kind:http method:POST');
  expect(http.length).toBeGreaterThan(5);
  const [{ id: sessionId } = { id: '' }] = server.stats().sessions;
  expect(sessionId).toHaveLength(36);
  expect(await page.evaluate(() => window.reprise.exportLog())).not.toContain(sessionId);

  await openSection(page, 'Info');
  await expect(page.getByRole('main')).toContainText('HTTP+SSE (deprecated): a reload ends the session');
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await expect.poll(() => server.stats().sessions.map(({ openStreams }) => openStreams)).toEqual([0]);
  expect(server.stats().calls).toMatchObject({ countdown: 2, ask: 1, sample: 1, crash: 1 });
});

test(
  'a reload ends the session: the call is lost, never run again, and the page connects anew',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('sse');
    await inspector.connect(server.url);
    const call = await inspector.call('countdown', { ticks: 500, intervalMs: 20 });
    const asking = await inspector.call('ask', { question: 'Still there?' });
    await inspector.untilAsked();
    await inspector.untilReceived(call, 2);
    await inspector.reload();
    await expect(page.getByRole('status')).toHaveText(
      'The HTTP+SSE session ended when the page closed. New session started: 2 calls lost, 1 input request expired, lists refreshed.',
    );
    for (const id of [call, asking]) {
      const why = expect.stringContaining('The tool may have run');
      expect(await inspector.callNamed(id)).toMatchObject({ name: 'lost', why });
    }
    // The kept verdict is enough: no POST was tried in vain.
    expect(await inspector.entries('kind:http status:405 load:2')).toEqual([]);

    // A server that breaks off is another matter; then it may have been brought up to date.
    const second = await inspector.call('countdown', { ticks: 500, intervalMs: 20 });
    await inspector.untilReceived(second, 1);
    await server.control('drop-streams');
    expect(await inspector.untilEnded(second)).toMatchObject({
      name: 'lost',
      why: expect.stringContaining('The HTTP+SSE stream was lost'),
    });
    await expect(page.getByRole('status')).toHaveText('Server restarted: 1 call lost, lists refreshed.');
    expect(server.stats()).toMatchObject({ calls: { countdown: 2, ask: 1 }, initializes: 3 });

    await server.control('era-session');
    await expect(page.getByRole('status')).toContainText(', with sessions (previously HTTP+SSE)');
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 5 }), 3);
  },
);
