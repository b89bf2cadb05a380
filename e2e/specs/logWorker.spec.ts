/** The worker that records, if the user wants it: in use, blocked by the browser, and failing in the middle of a call. */
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

/** Turned on in Settings; the next page has it. */
async function recordInWorker(inspector: Inspector): Promise<void> {
  const { page } = inspector;
  await page.getByRole('button', { name: 'Settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.getByRole('checkbox', { name: 'Record messages in a worker' }).check();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await inspector.reloadAtOnce();
}

test('messages are recorded in the page, unless the user wants a worker', async ({ inspector, target }) => {
  const { page } = inspector;
  const { url } = await target('resumable');
  await inspector.connect(url);
  await expectRecordedIn(page, /^Messages are recorded in the page\.$/);
  expect(workersOf(page)).toEqual([]);
});

test('messages are recorded in one worker for all servers', async ({ inspector, target }) => {
  const { page } = inspector;
  await recordInWorker(inspector);
  const targets = [await target('resumable'), await target('resumable')];
  for (const { url } of targets) {
    await inspector.connect(url);
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 1 }), 3);
  }
  expect(workersOf(page)).toHaveLength(1);
  await expectRecordedIn(page, /^Messages are recorded in a worker\.$/);
});

test('where the worker can’t be started, a call survives a reload all the same', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await page.context().route(SCRIPT, (route) => route.abort());
  await recordInWorker(inspector);
  const { url } = await target('resumable');
  const id = await inspector.reloadMidCall(url, { ticks: TICKS, intervalMs: 20 });
  await inspector.expectWhole(id, TICKS);
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
  await recordInWorker(inspector);
  const { url } = await target('resumable');
  await inspector.connect(url);
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
  await expectRecordedIn(page, /^Messages are recorded in a worker\.$/);
});

test('a disk that refuses the worker: the page continues, and what was stored stays', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await recordInWorker(inspector);
  const { url } = await target('resumable');
  await inspector.connect(url);
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
