/** Tasks of both generations: a handle that is kept, polled on across reloads, asked, answered, cancelled and outlived. */
import { z } from 'zod';
import { textResult } from '../../targets/core/toolContext.ts';
import { defineTool } from '../../targets/core/toolTable.ts';
import type { RunningTarget } from '../../targets/startTarget.ts';
import { expect, test, type Inspector } from './inspector.ts';
import { openSection } from './sections.ts';

const COUNTDOWN = { ticks: 20, intervalMs: 200 };

const untilTask = (inspector: Inspector, id: string) =>
  inspector.page.waitForFunction(
    (callId) => window.reprise.calls().find((call) => call.id === callId)?.taskId !== undefined,
    id,
  );

const started = (server: RunningTarget, tool: string) => server.stats().calls[tool];

const sentOnResultStreams = (server: RunningTarget) =>
  server
    .stats()
    .sessions.flatMap(({ streams }) => Object.entries(streams))
    .reduce((sum, [key, { sent }]) => sum + (key.includes('.result.') ? sent : 0), 0);

/** A tool that ends when the test says so. */
function heldTool() {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  let ended = (): void => undefined;
  const done = new Promise<void>((resolve) => (ended = resolve));
  const tool = defineTool({
    name: 'held',
    taskSupport: 'optional',
    title: 'Held',
    description: 'Ends when the test says so.',
    input: z.object({}),
    run: async () => {
      await held;
      ended();
      return textResult('Held, and let go.');
    },
  });
  return {
    tool,
    end: () => {
      letGo();
      return done;
    },
  };
}

for (const profile of ['modern-tasks', 'tasks-2025']) {
  test.describe(profile, () => {
    test(
      'a call goes on as a task across two reloads, and the list shows it',
      { tag: '@long' },
      async ({ inspector, target }) => {
        const server = await target(profile);
        await inspector.connect(server.url);
        const id = await inspector.call('countdown', COUNTDOWN);
        await untilTask(inspector, id);
        await inspector.reload();
        const { page } = inspector;
        await expect(page.getByRole('status').first()).toContainText('1 task resumed');
        await inspector.reload();
        await openSection(page, 'Tasks');
        const list = page.getByRole('list', { name: /^Tasks of/ });
        await expect(list).toContainText('countdown');
        await expect(list).toContainText(/working|completed/);
        const call = await inspector.untilEnded(id);
        expect(call).toMatchObject({
          name: 'settled',
          result: { structuredContent: { ticks: expect.any(Array) } },
        });
        await expect(list).toContainText('completed');
        expect(started(server, 'countdown')).toBe(1);
        // The result stands in the log: it is there after another reload, too.
        await inspector.reload();
        await page.evaluate(() => window.reprise.ready);
        expect((await inspector.callNamed(id)).result).toEqual(call.result);
      },
    );

    test('a task that ends while no page is there, and outlives the session that it was begun in', async ({
      inspector,
      target,
    }) => {
      const task = heldTool();
      const server = await target(profile, { overrides: { extraTools: [task.tool] } });
      await inspector.connect(server.url);
      const id = await inspector.call('held');
      await untilTask(inspector, id);
      await inspector.page.goto('about:blank');
      await task.end();
      await server.control('expire-sessions');
      await inspector.open();
      expect(await inspector.untilEnded(id)).toMatchObject({
        name: 'settled',
        result: { content: [{ text: 'Held, and let go.' }] },
      });
      expect(started(server, 'held')).toBe(1);
    });

    test(
      'a task asks twice: before a reload, and while no page is there to store the question',
      { tag: '@long' },
      async ({ inspector, target }) => {
        const server = await target(profile);
        await inspector.connect(server.url);
        const id = await inspector.call('interview', { questions: 2 });
        const asked = await inspector.untilAsked();
        await inspector.reload();
        expect(await inspector.callNamed(id)).toMatchObject({ name: 'needs-input' });
        const beside = await inspector.call('countdown', { ticks: 50, intervalMs: 100 });
        await inspector.answer(asked, { action: 'accept', content: { answer: 'first' } });
        await inspector.page.goto('about:blank');
        // The tasks of 2025-11-25 ask on the stream of a request, and once: it was this page's.
        if (profile === 'tasks-2025') await expect.poll(() => sentOnResultStreams(server)).toBe(2);
        await inspector.open();
        const again = await inspector.untilAsked();
        expect(again).not.toBe(asked);
        expect(await inspector.callNamed(id)).toMatchObject({ name: 'needs-input' });
        await inspector.answer(again, { action: 'accept', content: { answer: 'second' } });
        const call = await inspector.untilEnded(id);
        expect(JSON.stringify(call.result)).toContain('accept: first · accept: second');
        expect(await inspector.callNamed(beside)).not.toMatchObject({ name: 'needs-input' });
        expect(started(server, 'interview')).toBe(1);
      },
    );

    test(
      'a task is cancelled as a task, and expires in words',
      { tag: '@long' },
      async ({ inspector, target }) => {
        const server = await target(profile);
        await inspector.connect(server.url);
        const cancelled = await inspector.call('countdown', { ticks: 200, intervalMs: 100 });
        await untilTask(inspector, cancelled);
        await inspector.page.evaluate((id) => window.reprise.cancel(id), cancelled);
        const sent = await inspector.entries(`kind:sent call:${cancelled}`);
        expect(sent.map(({ message }) => (message as { method: string }).method)).toContain('tasks/cancel');
        expect(await inspector.entries('kind:sent method:notifications/cancelled')).toEqual([]);

        const lost = await inspector.call('countdown', { ticks: 200, intervalMs: 100 });
        await untilTask(inspector, lost);
        await server.control('expire-tasks');
        await inspector.reload();
        expect(await inspector.untilEnded(lost)).toMatchObject({
          name: 'lost',
          why: expect.stringContaining('no longer has this task'),
        });

        await server.control('short-tasks');
        const expired = await inspector.call('countdown', { ticks: 200, intervalMs: 100 });
        expect(await inspector.untilEnded(expired)).toMatchObject({
          name: 'expired',
          why: expect.stringContaining('The task expired'),
        });
      },
    );
  });
}

test('a task is polled at the pace of its server, which tells of its changes as well', async ({
  inspector,
  target,
}) => {
  const server = await target('modern-tasks');
  await inspector.connect(server.url);
  const id = await inspector.call('countdown', { ticks: 10, intervalMs: 200 });
  await inspector.untilEnded(id);
  const polls = (await inspector.entries(`kind:sent call:${id} method:tasks/get`)).map(({ at }) => at);
  const [created] = await inspector.entries(`kind:received call:${id}`);
  const { result } = (created?.message ?? {}) as { result?: { pollIntervalMs: number } };
  const pauses = polls.slice(1).map((at, i) => at - (polls[i] ?? 0));
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(result?.pollIntervalMs ?? NaN);
  await expect.poll(() => inspector.entries('kind:received method:notifications/tasks')).not.toEqual([]);

  // It runs only as a task.
  const rendered = await inspector.call('render', { frames: 2, frameMs: 50 });
  expect(await inspector.untilEnded(rendered)).toMatchObject({ name: 'settled', taskId: expect.any(String) });
});

test('a task whose creation was never answered is found in the list of the server', async ({
  inspector,
  target,
}) => {
  const task = heldTool();
  const server = await target('tasks-2025', { overrides: { extraTools: [task.tool] } });
  const { page } = inspector;
  await inspector.connect(server.url);
  // The request reaches the server, and its response no page.
  await page.route(server.url, async (route) => {
    if (route.request().postData()?.includes('tools/call') === true) await route.fetch();
    else await route.continue();
  });
  const id = await inspector.call('held');
  await expect.poll(() => started(server, 'held')).toBe(1);
  await inspector.reload();
  expect(await inspector.callNamed(id)).toMatchObject({ name: 'unknown' });
  await page
    .getByRole('region', { name: 'Result' })
    .getByRole('button', { name: 'Show tasks', exact: true })
    .click();
  const others = page.getByRole('list', { name: 'Not started here' });
  await expect(others).toContainText('working');
  await others.getByRole('button', { name: 'Follow' }).click();
  await task.end();
  await expect
    .poll(async () => (await inspector.calls()).find(({ id: other }) => other !== id)?.result)
    .toMatchObject({ content: [{ text: 'Held, and let go.' }] });
  expect(started(server, 'held')).toBe(1);
});
