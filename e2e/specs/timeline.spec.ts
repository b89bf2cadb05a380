// The timeline: lanes, links, the detail pane, moving, comparing, sending again. Everything through roles and keys.
import type { Page } from '@playwright/test';
import { copiedBy } from './copiedBy.ts';
import { expect, test, type Inspector } from './inspector.ts';
import { callRow, showLog, shownBy, timelineOf } from './timelinePage.ts';

/** A countdown that a reload cuts in two. */
async function reloadedCountdown(inspector: Inspector, url: string): Promise<string> {
  await inspector.connect(url);
  await showLog(inspector.page);
  // Long enough for a busy machine to reload the page in the middle of it.
  const id = await inspector.call('countdown', { ticks: 12, intervalMs: 250 });
  await inspector.untilReceived(id, 6);
  await inspector.reload();
  await inspector.untilEnded(id);
  // The end of its stream comes after the result; what is on the screen may come later still.
  await expect.poll(() => inspector.entries(`kind:stream-end load:2 stream:${id}`)).toHaveLength(1);
  const { length } = await inspector.entries();
  await expect(timelineOf(inspector.page).count).toHaveText(`${length} entries`);
  return id;
}

/** A bar of an open call takes several steps in this time. */
const STEPS_MS = 1000;

/** How many pixels of the lanes have a colour of the theme. */
const drawnWith = (page: Page, name: string) =>
  page.evaluate((variable) => {
    const canvas = document.querySelector<HTMLCanvasElement>('[role=group][aria-label=Lanes] canvas');
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return 0;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const wanted = new OffscreenCanvas(1, 1).getContext('2d');
    if (!wanted) return 0;
    wanted.fillStyle = getComputedStyle(canvas).getPropertyValue(variable);
    wanted.fillRect(0, 0, 1, 1);
    const [red, green, blue] = wanted.getImageData(0, 0, 1, 1).data;
    let pixels = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) pixels += 1;
    return pixels;
  }, name);

test(
  'the log has the lanes of the calls; an entry leads to all that it belongs to',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    await reloadedCountdown(inspector, (await target('over-replay')).url);
    const timeline = timelineOf(page);
    await expect(callRow(page, /countdown/)).toBeVisible();
    await expect(callRow(page, /initialize/), 'with the plumbing').toBeVisible();
    await expect.poll(() => drawnWith(page, '--accent-soft'), 'the selected row').toBeGreaterThan(500);
    await expect.poll(() => drawnWith(page, '--replay'), 'what was replayed').toBeGreaterThan(0);
    const [, again] = await inspector.entries('kind:load');
    expect(again, 'a reload says when the page before was left').toMatchObject({
      pageLeftAt: expect.any(Number),
    });

    await timeline.filter.fill('replayed:true tool:countdown method:progress');
    await timeline.rows.first().click();
    await expect(timeline.entry).toContainText('replayed');
    await expect(timeline.entry).toContainText('and replayed when the stream was resumed.');
    await timeline.filter.fill('');
    await expect(timeline.selected).toContainText('replayed');
    const links = timeline.entry.getByRole('region', { name: 'Related entries' });
    await expect(links.getByRole('button', { name: /^resume 200 from event/ })).toBeVisible();
    await links.getByRole('button', { name: /^result/ }).click();
    await expect(timeline.entry).toContainText('1 2 3 4 5 6 7 8 9 10 11 12');
    await timeline.entry.getByRole('button', { name: 'Raw' }).click();
    await expect(timeline.entry.locator('pre')).toContainText('"jsonrpc": "2.0"');
    const exchange = timeline.entry.getByRole('region', { name: 'HTTP exchange' });
    await expect(exchange.getByRole('list', { name: 'Timing' })).toContainText('waiting for response');
    await exchange.getByText('Request headers').click();
    await expect(exchange).toContainText('last-event-id');

    await timeline.filter.fill('kind:duplicate');
    await timeline.rows.first().click();
    await expect(timeline.entry).toContainText('was already received, so it was dropped.');
  },
);

test(
  'the bar of an open call grows while nothing else happens, and nothing moves when it is over',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    await inspector.connect((await target('resumable')).url);
    await page.evaluate(() => window.reprise.tools());
    await showLog(page);
    // From here on the timers of the page can be made to run at once.
    await page.clock.install();
    const id = await inspector.call('ask', { question: 'How long is a bar?' });
    await inspector.untilAsked();
    const picture = () =>
      timelineOf(page)
        .lanes.locator('canvas')
        .evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    const { length } = await inspector.entries();
    await expect(timelineOf(page).count).toHaveText(`${length} entries`);
    const before = await picture();
    await expect.poll(picture).not.toBe(before);
    expect(await inspector.entries(), 'nothing was recorded meanwhile').toHaveLength(length);

    await page.evaluate((callId) => window.reprise.cancel(callId), id);
    await inspector.untilEnded(id);
    await expect(async () => {
      const { length: ended } = await inspector.entries();
      await expect(timelineOf(page).count).toHaveText(`${ended} entries`, { timeout: 500 });
      const after = await picture();
      // Every timer that would draw the next step of a bar runs, and a frame is drawn.
      await page.clock.runFor(STEPS_MS);
      expect(await inspector.entries(), 'nothing was recorded meanwhile').toHaveLength(ended);
      expect(await picture()).toBe(after);
    }).toPass();
  },
);

test('whoever wants little motion gets none that says nothing', async ({ inspector: { page } }) => {
  const moves = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('*')].some((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return transitionDuration !== '0s' || animationName !== 'none';
      }),
    );
  expect(await moves()).toBe(true);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moves()).toBe(false);
});

test('moving by keys: zoom, fit, range, playhead, zero, bookmarks and pins, and all of it after a reload', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  await reloadedCountdown(inspector, (await target('resumable')).url);
  const timeline = timelineOf(page);
  const { calls } = timeline;
  await calls.focus();
  const whole = await shownBy(calls);
  await page.keyboard.press('+');
  await expect.poll(() => shownBy(calls)).not.toBe(whole);
  await page.keyboard.press('f');
  await expect.poll(() => shownBy(calls)).toBe(whole);

  await timeline.filter.fill('method:progress');
  await expect(timeline.count).toContainText(/^12 of/);
  await calls.focus();
  // The first three came one by one, before the reload.
  await page.keyboard.press('j');
  await expect(timeline.selected).toContainText('1/12');
  await page.keyboard.press('[');
  await page.keyboard.press('b');
  await page.keyboard.press('z');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press(']');
  await page.keyboard.press('p');
  // On a loaded machine several ticks have the same millisecond.
  await expect(timeline.count).toContainText(/^[3-9] of/);
  await expect(timeline.button(/^Range: .* clear$/)).toBeVisible();
  await expect(timeline.region).toContainText('time');
  await expect(timeline.rows.first()).toContainText('+0.00 s');
  await page.keyboard.press(',');
  const moment = timeline.region.getByRole('status', { name: 'At the playhead' });
  await expect(moment).toContainText('countdown done, 25 messages');
  await expect(async () => {
    await page.keyboard.press(',');
    await expect(moment).toContainText(/countdown running, \d+ messages?/, { timeout: 200 });
  }).toPass();
  await page.keyboard.press('Shift+N');
  await expect(timeline.rows.first()).toHaveAttribute('aria-selected', 'true');

  await inspector.reload();
  await expect(timeline.count).toContainText(/^[3-9] of/);
  await expect(timeline.filter).toHaveValue('method:progress');
  await expect(timeline.region.getByRole('list', { name: 'Pinned' })).toContainText('notifications/progress');
  await expect(timeline.region.getByRole('list', { name: 'Bookmarks' })).toContainText(
    'notifications/progress',
  );
  await expect(moment).toBeVisible();
  await expect(timeline.entry).toContainText('notifications/progress');
  await calls.focus();
  await page.keyboard.press('Escape');
  await expect(moment).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(timeline.count).toContainText(/^12 of/);
  await page.keyboard.press('v');
  await expect(timeline.lanes).toBeHidden();
  await expect(timeline.list).toBeVisible();
});

test('moving by pointer: wheel, drag, click', { tag: '@long' }, async ({ inspector, target }) => {
  const { page } = inspector;
  await reloadedCountdown(inspector, (await target('resumable')).url);
  const timeline = timelineOf(page);
  const { lanes, calls } = timeline;
  const box = await lanes.locator('canvas').boundingBox();
  if (!box) throw new Error('The lanes are drawn.');
  const at = (share: number, y: number) => [box.x + share * box.width, box.y + y] as const;
  const follow = timeline.button('Follow');
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  await timeline.list.hover();
  await page.mouse.wheel(0, -300);
  await expect(follow, 'who scrolls does not follow').toHaveAttribute('aria-pressed', 'false');
  await page.mouse.wheel(0, 3000);
  await expect(follow, 'who goes to the end does').toHaveAttribute('aria-pressed', 'true');
  await timeline.filter.fill('kind:load');
  await timeline.rows.first().click();
  await expect(follow).toHaveAttribute('aria-pressed', 'false');
  // A browser tells late that a list which became shorter has moved.
  await timeline.list.dispatchEvent('scroll');
  await expect(timeline.entry).toBeVisible();
  await expect(follow, 'a shorter list has its end in sight by itself').toHaveAttribute(
    'aria-pressed',
    'false',
  );
  await timeline.filter.fill('');
  await timeline.entry.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('l');
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  await expect(timeline.rows.last()).toBeInViewport();

  const whole = await shownBy(calls);
  await page.mouse.move(...at(0.5, 60));
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  await expect.poll(() => shownBy(calls)).not.toBe(whole);
  await page.mouse.down();
  await page.mouse.move(...at(0.7, 60), { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press('f');
  await expect.poll(() => shownBy(calls)).toBe(whole);

  // The click finds the call, or an event of it.
  const row = await callRow(page, /countdown/).boundingBox();
  if (!row) throw new Error('The call has a row.');
  await page.mouse.click(box.x + box.width / 2, row.y + row.height / 2);
  await expect(timeline.entry).toContainText('Related entries');
  // Beside the details the lanes are narrower, and below more chips they may be lower.
  const now = async (share: number, y: number) => {
    const drawn = await lanes.locator('canvas').boundingBox();
    if (!drawn) throw new Error('The lanes are drawn.');
    return [drawn.x + share * drawn.width, drawn.y + y] as const;
  };
  await page.keyboard.down('Shift');
  await page.mouse.move(...(await now(0.3, 60)));
  await page.mouse.down();
  await page.mouse.move(...(await now(0.6, 60)), { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect(timeline.button(/^Range: .* clear$/)).toBeVisible();
  await expect(timeline.region).toContainText(/\d+ of \d+ entries/);
  await page.mouse.click(...(await now(0.45, 8)));
  await expect(timeline.region.getByRole('status', { name: 'At the playhead' })).toContainText(
    /page load|no page/,
  );
});

test(
  'compares two messages, two calls, and a reloaded call with its control',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await reloadedCountdown(inspector, server.url);
    const control = await inspector.call('countdown', { ticks: 12, intervalMs: 250 });
    await inspector.expectWhole(control, 12);
    const timeline = timelineOf(page);
    const dialog = page.getByRole('dialog', { name: 'Compare' });

    await timeline.filter.fill('method:progress load:1');
    await timeline.rows.first().click();
    await timeline.entry.getByRole('button', { name: 'Compare…' }).click();
    await timeline.rows.nth(1).click();
    await timeline.entry.getByRole('button', { name: /^Compare with \d+/ }).click();
    await expect(dialog).toContainText(/\d+ differences?\./);
    await expect(dialog.getByRole('row').filter({ hasText: '"progress": 1' })).toContainText('"progress": 2');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    await timeline.entry.getByRole('button', { name: 'Compare with control call' }).click();
    await expect(dialog).toContainText('No differences.');
    await expect(dialog.getByRole('row')).toHaveCount(1 + 26);
    await expect(dialog).toContainText('replayed');
  },
);

test('sends again, as it was and edited; copies as curl, fetch, SDK code, JSON-RPC and as a link', async ({
  inspector,
  target,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: new URL(baseURL ?? '').origin,
  });
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url, { bearer: 'very-secret-token' });
  await showLog(page);
  const id = await inspector.call('countdown', { ticks: 2, intervalMs: 0 });
  await inspector.untilEnded(id);
  const timeline = timelineOf(page);
  await timeline.filter.fill('method:tools/call kind:sent');
  await timeline.rows.first().click();
  const { entry } = timeline;
  const copy = async (format: string) => {
    // It says so for two seconds: looked for from the start, not when the clipboard has been read.
    const [text] = await Promise.all([
      copiedBy(page, () => entry.getByLabel('Copy as').selectOption(format)),
      expect(entry.getByRole('status').filter({ hasText: `${format} copied.` })).toBeVisible(),
    ]);
    return text;
  };
  const curl = await copy('curl');
  expect(curl).toMatch(/^curl -N -X POST 'http:[^]*authorization: Bearer YOUR_TOKEN[^]*"name":"countdown"/);
  expect(curl).not.toContain('very-secret-token');
  expect(await copy('fetch')).toContain('await fetch("http');
  expect(await copy('SDK code')).toContain('client.callTool(');
  expect(JSON.parse(await copy('JSON-RPC'))).toMatchObject({ method: 'tools/call', id });
  const link = await copy('Link to this entry');

  await entry.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect.poll(async () => (await inspector.calls()).length).toBe(2);
  await entry.getByRole('button', { name: 'Edit and resend' }).click();
  const parameters = entry.getByLabel('tools/call parameters');
  await parameters.fill('{ "name": "countdown"');
  await entry.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(entry.getByRole('status').filter({ hasText: /JSON/ })).toBeVisible();
  await parameters.fill('{ "name": "countdown", "arguments": { "ticks": 5, "intervalMs": 0 } }');
  await entry.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await inspector.calls()).at(-1)?.args).toEqual({ ticks: 5, intervalMs: 0 });

  await timeline.filter.fill('method:tools/list kind:sent');
  await timeline.rows.first().click();
  await entry.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(entry.getByRole('status').filter({ hasText: 'Sent.' })).toBeVisible();
  await expect(timeline.rows).toHaveCount(2);

  await page.goto('about:blank');
  await page.goto(link);
  await expect(timeline.entry).toContainText('tools/call');
  await expect(timeline.entry).toContainText('countdown');
});

test('a call that survived a reload, and a selection, are copied as Mermaid', async ({
  inspector,
  target,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: new URL(baseURL ?? '').origin,
  });
  const { page } = inspector;
  const id = await reloadedCountdown(inspector, (await target('resumable')).url);
  const timeline = timelineOf(page);
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'More for this call' }).click();
  const call = await copiedBy(page, () => result.getByLabel('Copy as').selectOption('mermaid'));
  expect(call).toMatch(
    /^sequenceDiagram\nparticipant L1 as Page load 1\nparticipant L2 as Page load 2\nparticipant S as Server\n/,
  );
  expect(call).toMatch(/L1->>S: tools\/call countdown\n[^]*Note over L1,L2: Page reloaded, no page for /);
  // The frame around what was replayed ends after the result, where that was missed too.
  expect(call).toMatch(/\nL2->>S: GET with Last-Event-ID [^]*\nS-->>L2: result\n(?:end\n)?$/);
  const replayed = [...call.matchAll(/: (\d+) missed events? replayed\n/g)].map(([, n]) => Number(n));
  expect(replayed.reduce((sum, n) => sum + n, 0)).toBe((await inspector.callNamed(id)).replayed);

  await expect(timeline.button('Copy as Mermaid')).toBeHidden();
  await timeline.filter.fill('load:1 method:progress');
  const selection = await copiedBy(page, () => timeline.button('Copy as Mermaid').click());
  expect(selection).toContain('S->>L1: notifications/progress 1/12\n');
  expect(selection).not.toContain('L2');
});
