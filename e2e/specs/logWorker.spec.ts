/** The worker that records, from the first call on: in use, blocked by the browser, and failing in the middle of a call. */
import type { Page } from '@playwright/test';
import { expect, Inspector, test } from './inspector.ts';

const SCRIPT = /\/logWorker-[^/]*\.js$/;
const TICKS = 60;

const workersOf = (page: Page) => page.workers().filter((worker) => SCRIPT.test(worker.url()));

async function expectRecordedIn(page: Page, sentence: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await expect(dialog.getByText(/^Messages are recorded in/)).toHaveText(sentence);
  await dialog.getByRole('button', { name: 'Close' }).click();
}

const IN_WORKER = /^Messages are recorded in a worker\.$/;

/** The first call starts it; the log moves when it is there. */
async function untilInWorker({ page }: Inspector): Promise<void> {
  await expect.poll(() => workersOf(page)).toHaveLength(1);
  await expectRecordedIn(page, IN_WORKER);
}

/** The log of the server that is connected is recorded in the worker from here on. */
async function callOnce(inspector: Inspector): Promise<void> {
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 1, intervalMs: 1 }), 1);
  await untilInWorker(inspector);
}

test('a page without a call has no worker, and a reload starts none', async ({ inspector, target }) => {
  const { page } = inspector;
  const { url } = await target('resumable');
  const sentence = /^Messages are recorded in the page until the first call, then in a worker\.$/;
  await inspector.connect(url);
  await expectRecordedIn(page, sentence);
  await callOnce(inspector);
  await inspector.reload();
  await expectRecordedIn(page, sentence);
  expect(workersOf(page)).toEqual([]);
});

test('messages are recorded in one worker for all servers', async ({ inspector, target }) => {
  const targets = [await target('resumable'), await target('resumable')];
  for (const { url } of targets) {
    await inspector.connect(url);
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 1 }), 3);
  }
  await untilInWorker(inspector);
});

test('a call is whole whose stream is long when its log moves, and one whose stream is read in the worker', async ({
  inspector,
  target,
}) => {
  const { url } = await target('resumable');
  await inspector.connect(url);
  const first = await inspector.call('countdown', { ticks: 3000, intervalMs: 0 });
  const second = await inspector.call('countdown', { ticks: 3000, intervalMs: 0 });
  for (const id of [first, second]) await inspector.expectWhole(id, 3000);
  await untilInWorker(inspector);
  const third = await inspector.call('countdown', { ticks: 3000, intervalMs: 0 });
  await inspector.expectWhole(third, 3000);
  await inspector.reload();
  for (const id of [first, second, third]) await inspector.expectWhole(id, 3000);
});

test('where the worker can’t be started, a call survives a reload all the same', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await page.context().route(SCRIPT, (route) => route.abort());
  const { url } = await target('resumable');
  const id = await inspector.reloadMidCall(url, { ticks: TICKS, intervalMs: 20 });
  await inspector.expectWhole(id, TICKS);
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 1, intervalMs: 1 }), 1);
  expect(workersOf(page)).toEqual([]);
  await expectRecordedIn(
    page,
    /^Messages are recorded in the page, because the browser didn’t start the worker\.$/,
  );
});

test('a worker that fails in the middle of a call takes nothing with it', async ({ page, target }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  const inspector = await new Inspector(page).open();
  const { url } = await target('resumable');
  await inspector.connect(url);
  await callOnce(inspector);
  const id = await inspector.call('countdown', { ticks: TICKS, intervalMs: 10 });
  await inspector.untilReceived(id, 6);
  await workersOf(page)[0]?.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown by a test');
    });
  });
  await inspector.expectWhole(id, TICKS);
  await expectRecordedIn(
    page,
    /^Messages are recorded in the page, because the worker failed \(.*thrown by a test\)\.$/,
  );
  expect(errors).toEqual([expect.stringContaining('thrown by a test')]);
  await inspector.reload();
  await inspector.expectWhole(id, TICKS);
});

test('a disk that refuses the worker: the page continues, and what was stored stays', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const { url } = await target('resumable');
  await inspector.connect(url);
  await callOnce(inspector);
  const before = await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
  await inspector.expectWhole(before, 3);
  await inspector.stored();
  await workersOf(page)[0]?.evaluate(() => {
    Object.defineProperty(IDBObjectStore.prototype, 'put', {
      value: () => {
        throw new DOMException('No room.', 'QuotaExceededError');
      },
    });
  });
  const during = await inspector.call('countdown', { ticks: 4, intervalMs: 10 });
  await inspector.expectWhole(during, 4);
  await expectRecordedIn(page, /^Messages are recorded in the page, because the browser can’t store data\.$/);
  await inspector.reload();
  await inspector.expectWhole(before, 3);
});
