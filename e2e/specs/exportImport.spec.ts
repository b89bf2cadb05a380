// A log leaves as a file and comes back: read-only, beside the live ones. A file that is none changes nothing.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { LogEntry } from '../../src/log/entry/publicEntry.ts';
import { recordedText } from '../recording/recordedLog.ts';
import { expect, test } from './inspector.ts';
import { untilListed } from './loggedIn.ts';
import { showLog, timelineOf } from './timelinePage.ts';

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Export and import' });

async function save(page: Page, format: string): Promise<string> {
  const downloading = page.waitForEvent('download');
  await dialogOf(page).getByRole('button', { name: format, exact: true }).click();
  return (await downloading).path();
}

test('exports, redacted; imports beside the live log, where it can only be read, also after a reload', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url, { name: 'live', bearer: 'very-secret-token' });
  const id = await inspector.call('countdown', { ticks: 4, intervalMs: 50 });
  await inspector.untilEnded(id);
  // Everything that is still on its way: a log that grows differs from its export.
  await untilListed(inspector);
  await expect.poll(() => inspector.entries(`kind:stream-end stream:${id}`)).toHaveLength(1);
  const timeline = timelineOf(page);
  await timeline.region.getByRole('button', { name: 'Export…' }).click();
  await expect(dialogOf(page).getByRole('listitem').first()).toContainText('(never recorded)');
  const path = await save(page, 'Reprise log (JSON)');
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain('very-secret-token');
  const before = await inspector.entries();
  expect(JSON.parse(text)).toMatchObject({ format: 'reprise-log', leftOut: { length: 3 }, server: 'live' });
  // A file has each reason as a code with its facts; the page makes the sentence.
  const contents = (entries: readonly Partial<LogEntry>[]) =>
    entries.map(({ seq, at, load, kind, stream, eventId, message }) => [
      ...[seq, at, load, kind, stream, eventId],
      message,
    ]);
  const exported = await page.evaluate(() => window.reprise.exportLog());
  for (const file of [text, exported]) {
    expect(contents((JSON.parse(file) as { entries: LogEntry[] }).entries)).toEqual(contents(before));
  }
  expect(text).toContain('"reason":{"code":"probe-refused"');

  await dialogOf(page).getByLabel('Exclude message contents').check();
  await expect(dialogOf(page)).toContainText('Message contents: arguments, results');
  expect(await readFile(await save(page, 'Reprise log (JSON)'), 'utf8')).not.toContain('"progress":');
  const har = JSON.parse(await readFile(await save(page, 'HAR 1.2'), 'utf8')) as {
    log: { entries: object[] };
  };
  expect(har.log.entries.length).toBeGreaterThan(2);

  await dialogOf(page).getByLabel('Open a Reprise log').setInputFiles(path);
  await expect(dialogOf(page)).toBeHidden();
  const status = page.getByRole('status').filter({ hasText: /Imported/ });
  await expect(status).toContainText('Read-only');
  await expect(page.getByRole('button', { name: 'Connect', exact: true }), 'there is no server').toHaveCount(
    0,
  );
  const seen = (await inspector.entries()).map(({ seq, kind }) => ({ seq, kind }));
  expect(seen).toEqual(before.map(({ seq, kind }) => ({ seq, kind })));
  await showLog(page);
  await timeline.filter.fill('method:progress');
  await expect(timeline.count).toContainText(/^4 of/);
  await timeline.rows.first().click();
  await expect(timeline.entry).toContainText('notifications/progress');
  await expect(inspector.call('countdown')).rejects.toThrow(/This is an imported log with no server/);
  await inspector.reload();
  await expect(status).toContainText('Read-only');
  await expect(timeline.count).toContainText(/^4 of/);
  expect(await inspector.entries()).toHaveLength(before.length);

  await page.evaluate(() => window.reprise.select('live'));
  await expect(page.getByRole('status').filter({ hasText: 'Reconnected' })).toBeVisible();
});

test('a log from the web is loaded after a question and not before, and can only be read', async ({
  page,
  watch,
}) => {
  const asked: string[] = [];
  const log = await recordedText('resumable');
  const host = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('access-control-allow-origin', '*');
    response.end(log);
  });
  await once(host.listen(0, '127.0.0.1'), 'listening');
  const { port } = host.address() as AddressInfo;
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await watch(page).goto(`./?log=${encodeURIComponent(`http://127.0.0.1:${port}/talk.json`)}`);
  const question = page.getByRole('region', { name: 'Link to a log' });
  await expect(question).toContainText(`127.0.0.1:${port}`);
  await page.evaluate(() => window.reprise.ready);
  expect(asked).toEqual([]);

  await question.getByRole('button', { name: 'Open log' }).click();
  const call = page.getByRole('listbox', { name: 'Calls' }).getByRole('option', { name: /countdown/ });
  await call.first().click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('Read-only');
  expect(asked).toEqual(['GET /talk.json']);
  for (const name of ['Call', 'Call again', 'Edit & rerun', 'Cancel'])
    await expect(page.getByRole('button', { name, exact: true }), name).toHaveCount(0);
  // The server of the log is somebody's: nothing goes there.
  const sent = requests.filter((url) => url.startsWith('http'));
  const origins = new Set(sent.map((url) => new URL(url).origin));
  expect([...origins].sort()).toEqual([new URL(page.url()).origin, `http://127.0.0.1:${port}`].sort());
  host.close();
});

test('a file that is foreign, newer or damaged gets a sentence, and nothing changes', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url, { name: 'live' });
  const good = await page.evaluate(() => window.reprise.exportLog());
  await timelineOf(page).region.getByRole('button', { name: 'Export…' }).click();
  const records = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('reprise');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('records').objectStore('records').count();
            counting.onsuccess = () => {
              opening.result.close();
              resolve(counting.result);
            };
          };
        }),
    );
  const stored = await records();
  for (const [text, says] of [
    ['{"log":{"version":"1.2","entries":[]}}', 'Not a Reprise log.'],
    [good.slice(0, good.length / 2), 'The file ends after entry'],
    [good.replace(/"version":\d+/, '"version":99'), 'saved by a newer version of Reprise'],
    [good.replace(/"kind":"[\w-]+"/g, '"kind":"spell"'), '“spell”'],
  ] as const) {
    const path = test.info().outputPath('file.json');
    await writeFile(path, text);
    await dialogOf(page).getByLabel('Open a Reprise log').setInputFiles(path);
    await expect(dialogOf(page).getByRole('alert')).toContainText(says);
  }
  expect(await records()).toBe(stored);
  expect(await page.evaluate(() => window.reprise.state().name)).toBe('connected');
});

test('one HTML file with the timeline of the app: it opens without a network, and plays', async ({
  inspector,
  target,
  browser,
}) => {
  const { page } = inspector;
  const id = await inspector.reloadMidCall((await target('resumable')).url, { ticks: 10, intervalMs: 200 });
  await inspector.untilEnded(id);
  await timelineOf(page).region.getByRole('button', { name: 'Export…' }).click();
  const path = test.info().outputPath('log.html');
  await writeFile(path, await readFile(await save(page, 'HTML report')));
  const context = await browser.newContext({ offline: true });
  const file = await context.newPage();
  const problems: string[] = [];
  file.on('console', (message) => problems.push(message.text()));
  file.on('pageerror', (error) => problems.push(error.message));
  await file.goto(pathToFileURL(path).href);
  const row = file.getByRole('listbox', { name: 'Calls' }).getByRole('option', { name: /countdown/ });
  await row.click();
  await expect(file.getByRole('group', { name: 'Reload' })).toContainText('Reload survived');
  await file.setViewportSize({ width: 390, height: 780 });
  const isWider = await file.evaluate(
    () => (document.querySelector('.viewer')?.scrollWidth ?? 0) > innerWidth,
  );
  expect(isWider, 'nothing is wider than a phone').toBe(false);
  await file.setViewportSize({ width: 1280, height: 720 });
  await file.getByRole('tab', { name: /Messages/ }).click();
  await file
    .getByRole('listbox', { name: 'Messages' })
    .getByRole('option', { name: /progress/ })
    .first()
    .click();
  await expect(file.getByRole('tabpanel')).toContainText('progressToken');
  await file.getByRole('button', { name: 'Log', exact: true }).click();
  await file.getByLabel('Filter entries').fill('method:progress /"progress":/');
  await expect(file.getByText(/^10 of \d+ entries$/)).toBeVisible();
  await file.getByRole('button', { name: 'Calls', exact: true }).click();
  await file.getByLabel('Filter entries').fill('');
  await file.getByRole('slider', { name: 'Position' }).fill('0');
  await expect(row).toBeHidden();
  await file.getByLabel('Speed').selectOption('8×');
  await file.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(row).toContainText('done');
  expect(problems).toEqual([]);
  await context.close();
});
