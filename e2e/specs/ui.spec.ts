// The screen, by what a person and a screen reader find on it.
import { expect, type Locator, type Page } from '@playwright/test';
import type { ToolDefinition } from '../../targets/core/toolTable.ts';
import { damageRecords, Inspector, test } from './inspector.ts';
import { callRow, showLog, timelineOf } from './timelinePage.ts';

const status = (page: Page) => page.getByRole('status');
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const inbox = (page: Page) => page.getByRole('region', { name: 'Inbox' });
const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' });
const press = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true }).click();

async function connect(page: Page, url: string) {
  await page.getByRole('textbox', { name: 'Server URL' }).fill(url);
  await press(page, 'Connect');
  await expect(status(page)).toHaveText('Connected');
}

async function pick(page: Page, tool: string) {
  await page
    .getByRole('list', { name: 'Tools' })
    .getByRole('button', { name: new RegExp(`^${tool}\\b`) })
    .click();
}

async function startCountdown(page: Page, ticks: number, intervalMs: number) {
  await pick(page, 'countdown');
  await page.getByLabel('ticks').fill(String(ticks));
  await page.getByLabel('intervalMs').fill(String(intervalMs));
  await press(page, 'Call');
}

/** Progress does not wait to be looked at: it may be further already. */
async function untilTick(page: Page, tick: number) {
  const now = () => page.getByRole('progressbar').getAttribute('aria-valuenow');
  await expect.poll(async () => Number(await now())).toBeGreaterThanOrEqual(tick);
}

/** Nothing is answered until it is let through: what is on the screen before that comes from the log. */
async function holdAnswers(page: Page, url: string): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return () => letThrough();
}

const numbers = (n: number) => Array.from({ length: n }, (_, i) => i + 1).join(' ');

test.beforeEach(async ({ page, watch }) => {
  await watch(page).goto('./');
});

test('connects by address, calls a tool by its form, and shows progress and the result', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  await page.getByRole('textbox', { name: 'Server URL' }).fill(server.url);
  await page.keyboard.press('Enter');
  await expect(status(page)).toHaveText('Connected');
  // Long enough for the bar to be seen on a busy machine.
  await startCountdown(page, 15, 200);
  await expect(page.getByRole('progressbar', { name: 'countdown progress' })).toBeVisible();
  await expect(result(page)).toContainText(numbers(15));
  await expect(result(page)).toContainText('countdown · done');
  await expect(callRow(page, /^countdown .*done/)).toBeVisible();

  await press(page, 'Disconnect');
  await expect(status(page)).toHaveText('Disconnected');
  await press(page, 'Call');
  await expect(page.getByRole('alert')).toHaveText('Not connected. Connect to the server first.');
});

test('a reload in the middle of a call: the last result is painted first, and the call goes on', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await startCountdown(page, 3, 0);
  await expect(result(page)).toContainText(numbers(3));
  await startCountdown(page, 30, 150);
  await untilTick(page, 2);

  await new Inspector(page).stored();
  const letThrough = await holdAnswers(page, server.url);
  await page.reload();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Tools' })).toContainText('countdown');
  await callRow(page, /^countdown .*done/).click();
  await expect(result(page)).toContainText(numbers(3));
  await callRow(page, /^countdown .*running/).click();
  await expect(status(page)).not.toHaveText(/Connected|Reconnected/);
  letThrough();

  await expect(status(page)).toHaveText(/^Reconnected\. Recovered \d+ missed events?\.$/);
  await expect(result(page)).toContainText(numbers(30));
  await expect(result(page)).toContainText(/1 reload\s+· 61 messages, \d+ replayed/);
  await expect(result(page).getByRole('group', { name: 'Reload' })).toContainText(
    /Reload survived\s*\d+ events? recovered in [\d.]+ m?s · 0 lost · 0 duplicated/,
  );
  await showLog(page);
  await page.getByLabel('Filter entries').fill('replayed:true');
  await expect(timelineOf(page).rows.first()).toContainText('replayed');
});

test('the last result is on the screen before the server has answered', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await startCountdown(page, 7, 0);
  await expect(result(page)).toContainText(numbers(7));
  await new Inspector(page).stored();
  const letThrough = await holdAnswers(page, server.url);
  await page.reload();
  await expect(result(page)).toContainText(numbers(7));
  await expect(status(page)).toHaveText(/^Reconnecting/);
  letThrough();
  await expect(status(page)).toHaveText(/^Reconnected\b/);
});

test('what was half typed is there after a reload', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await pick(page, 'ask');
  await page.getByLabel('question').fill('Half a quest');
  await page.reload();
  await expect(page.getByLabel('question')).toHaveValue('Half a quest');
});

test('a question comes back after a reload, with what was typed, and its answer reaches the tool', async ({
  page,
  target,
}) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await pick(page, 'ask');
  await page.getByLabel('question').fill('Who is there?');
  await press(page, 'Call');
  await inbox(page).getByLabel('Answer').fill('Ada');
  await page.reload();
  await expect(status(page)).toContainText('Reconnected');
  await expect(inbox(page)).toContainText('Who is there?');
  await expect(inbox(page)).toContainText(`${new URL(server.url).host}/mcp`);
  await expect(inbox(page)).toContainText('Tool: ask');
  await expect(inbox(page).getByLabel('Answer')).toHaveValue('Ada');
  await inbox(page).getByRole('button', { name: 'Submit' }).click();
  await expect(result(page)).toContainText('accept: Ada');
  await expect(inbox(page)).toContainText('No input requests');
});

test('a person can be the model', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await pick(page, 'sample');
  await press(page, 'Call');
  await expect(inbox(page)).toContainText('Say hello.');
  await inbox(page).getByLabel('Reply').fill('Hello.');
  await inbox(page).getByRole('button', { name: 'Send' }).click();
  await expect(result(page)).toContainText('Hello.');
});

test('tells a tool error, a protocol error and a cancelled call apart', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await pick(page, 'fail');
  await press(page, 'Call');
  await expect(result(page)).toContainText('The tool returned an error:');
  await pick(page, 'crash');
  await press(page, 'Call');
  await expect(result(page)).toContainText('Crashed on purpose');
  await startCountdown(page, 100, 1000);
  await press(page, 'Cancel');
  await expect(result(page)).toContainText('Cancelled by you.');
  await press(page, 'Call again');
  await expect(callRow(page, /^countdown .*running/)).toBeVisible();
});

test('arguments that are wrong are told beside their field, and are not sent', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await startCountdown(page, -1, 100);
  await expect(page.getByLabel('ticks')).toHaveAccessibleDescription(/At least 0\./);
  await press(page, 'JSON');
  await page.getByLabel('Arguments (JSON)').fill('{"ticks": 2,');
  await press(page, 'Call');
  await expect(page.getByLabel('Arguments (JSON)')).toHaveAccessibleDescription(/Invalid JSON/);
  await page.getByLabel('Arguments (JSON)').fill('{"ticks": 2, "intervalMs": 0}');
  await page.keyboard.press('Control+Enter');
  await expect(result(page)).toContainText('1 2');
  expect(server.stats().calls).toEqual({ countdown: 1 });
});

test('says what it is; an address that is none, and one where nobody answers, each get a sentence and what to do', async ({
  page,
}) => {
  await expect(status(page)).toHaveText('Not connected');
  await expect(page.getByRole('heading', { level: 2 })).toContainText('lose nothing');
  await expect(page.getByRole('button', { name: 'Open the demo' })).toBeVisible();
  const address = page.getByRole('textbox', { name: 'Server URL' });
  await address.fill('ftp://example');
  await press(page, 'Connect');
  await expect(address).toHaveAccessibleDescription(/“ftp:\/\/example” isn’t a server URL/);
  await address.fill('http://127.0.0.1:9/mcp');
  await press(page, 'Connect');
  await expect(status(page)).toContainText('Can’t connect. No response from 127.0.0.1:9.');
  await expect(page.getByRole('complementary')).toContainText(
    'Check that the server is running, and check the host and port.',
  );
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the demo can be opened where another server did not answer', async ({ page }) => {
    await page.getByRole('textbox', { name: 'Server URL' }).fill('127.0.0.1:9/mcp');
    await press(page, 'Connect');
    await expect(status(page)).toContainText('Can’t connect.');
    await press(page, 'Open the demo');
    await expect(status(page)).toHaveText('Connected');
    await expect(page.getByLabel('Server', { exact: true })).toHaveValue('demo');
  });
});

test('a text of 10 MB does not freeze the page', { tag: '@long' }, async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await pick(page, 'big');
  await page.getByLabel('bytes').fill('10000000');
  await press(page, 'Call');
  await expect(result(page)).toContainText('Showing the first 200 KB.');
  await result(page).getByRole('button', { name: 'Show all (10 MB)' }).click();
  await expect(result(page)).not.toContainText('The first 200 KB');
});

test('the list of entries is filtered, and an entry is looked into', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await startCountdown(page, 3, 0);
  await expect(result(page)).toContainText('1 2 3');
  await showLog(page);
  const filter = page.getByLabel('Filter entries');
  await filter.fill('method:progress');
  await expect(timelineOf(page).rows).toHaveCount(3);
  await filter.fill('colour:red');
  await expect(filter).toHaveAccessibleDescription(/Unknown filter “colour:”/);
  await filter.fill('kind:http status:200 "tools/call"');
  await filter.fill('kind:http');
  await timelineOf(page)
    .row(/POST 200/)
    .first()
    .click();
  await expect(timeline(page).getByRole('complementary', { name: 'Entry' })).toContainText('mcp-session-id');
});

test('works with a storage that refuses, and says what a reload would lose', async ({ page, target }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('not allowed', 'SecurityError');
    };
  });
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Storage is blocked. A reload would lose');
  const server = await target('resumable');
  await connect(page, server.url);
  await startCountdown(page, 2, 0);
  await expect(result(page)).toContainText('1 2');
});

test('a page that cannot start says so, and what to do', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  await page.addInitScript(() => {
    window.BroadcastChannel = new Proxy(BroadcastChannel, {
      construct() {
        throw new Error('Channels are out of order.');
      },
    });
  });
  await page.reload();
  await expect(page.getByRole('heading')).toHaveText('Reprise couldn’t start.');
  await expect(page.getByRole('alert')).toHaveText('Channels are out of order.');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a token that was typed for one server does not go to another', async ({ page, target }) => {
  const [first, second] = [await target('resumable'), await target('resumable')];
  await connect(page, first.url);
  await connect(page, second.url);
  await page.getByText('Authorization and headers').click();
  await page.getByLabel('Bearer token').fill('for the second');
  await page.getByLabel('Server', { exact: true }).selectOption({ index: 0 });
  await expect(page.getByRole('textbox', { name: 'Server URL' })).toHaveValue(first.url);
  await expect(page.getByLabel('Bearer token')).toHaveValue('');
});

test('a second tab shows the same, and says who leads', async ({ page, context, target, watch }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  const other = watch(await context.newPage());
  await other.goto('./');
  await expect(status(other)).toHaveText('Connected. Another tab owns this connection.');
  await startCountdown(other, 3, 0);
  await expect(result(other)).toContainText('1 2 3');
  await expect(result(page)).toContainText('1 2 3');
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the demo is one button away, and survives a reload too', async ({ page }) => {
    await press(page, 'Open the demo');
    await expect(status(page)).toHaveText('Connected');
    await startCountdown(page, 15, 200);
    await untilTick(page, 2);
    await page.reload();
    await expect(status(page)).toHaveText(/Recovered \d+ missed event/);
    await expect(result(page)).toContainText(numbers(15));
  });
});

/** A tool that says nothing of itself: calling it twice may do harm. */
const charge: ToolDefinition = {
  tool: { name: 'charge', inputSchema: { type: 'object' } },
  run: async (_args, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return { content: [] };
  },
};

/** The page knows, and has stored, that the server is at work: `entries()` waits for what is not on disk yet. */
async function untilAnswerBegan(page: Page): Promise<void> {
  await page.waitForFunction(() => window.reprise.calls().some(({ name }) => name === 'open'));
  await page.evaluate(() => window.reprise.entries());
}

test(
  'a call that was lost is made again only by a click, and after a question where it may do harm',
  { tag: '@long' },
  async ({ page, target }) => {
    const server = await target('no-replay', { overrides: { extraTools: [charge] } });
    const started = (tool: string) => server.stats().calls[tool] ?? 0;
    await connect(page, server.url);
    await pick(page, 'charge');
    await press(page, 'Call');
    await expect.poll(() => started('charge')).toBe(1);
    await untilAnswerBegan(page);
    await page.reload();
    // No message has come that would show whether this server sends event IDs.
    await expect(result(page)).toContainText('The page closed before the server sent an event ID');
    await press(page, 'Call again');
    expect(started('charge')).toBe(1);
    await press(page, 'Call again');
    await expect.poll(() => started('charge')).toBe(2);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();

    await startCountdown(page, 100, 500);
    await untilTick(page, 1);
    await untilAnswerBegan(page);
    await page.reload();
    await expect(result(page)).toContainText('This server doesn’t send event IDs');
    expect(started('countdown')).toBe(1);
    await callRow(page, /^countdown .*(lost|unknown)/).click();
    await press(result(page), 'Call again');
    await expect.poll(() => started('countdown')).toBe(2);
  },
);

test('a call with an unknown outcome is made again by one key, if the tool is safe to repeat', async ({
  page,
  target,
}) => {
  const server = await target('no-priming', { overrides: { extraTools: [charge] } });
  const started = (tool: string) => server.stats().calls[tool] ?? 0;
  await connect(page, server.url);
  await pick(page, 'charge');
  await press(page, 'Call');
  await startCountdown(page, 2, 100_000);
  await page.waitForFunction(() => window.reprise.calls().filter(({ name }) => name === 'open').length === 2);
  await page.evaluate(() => window.reprise.stored());
  await page.reload();
  await callRow(page, /^charge .*unknown/).click();
  await expect(result(page)).toContainText('before the server sent an event ID');
  await expect(result(page)).not.toContainText('safe to repeat');
  await page.keyboard.press('a');
  await callRow(page, /^countdown .*unknown/).click();
  await expect(result(page)).toContainText('This tool is marked as safe to repeat. Call it again with A');
  expect(started('countdown')).toBe(1);
  await page.keyboard.press('a');
  await expect.poll(() => started('countdown')).toBe(2);
  await expect(result(page).getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await page.keyboard.press('a');
  expect(await page.evaluate(() => window.reprise.calls().length)).toBe(3);
  expect([started('charge'), started('countdown')]).toEqual([1, 2]);
});

test('a log that was damaged is told, and what is left is shown', async ({ page, target }) => {
  const server = await target('resumable');
  await connect(page, server.url);
  // The lists come after the status, and would be stored over the damage.
  await expect(page.getByRole('option', { name: /^4 lists .* done/ })).toBeVisible();
  await page.evaluate(() => window.reprise.entries('kind:load'));
  expect(await damageRecords(page, '/segment/1$', 'nonsense')).toBe(1);
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('Can’t read entries');
  await expect(status(page)).toContainText('Reconnected');
});

test('the theme is chosen, and stays', async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const theme = page.getByRole('button', { name: /theme/i });
  const seen = new Set([await background()]);
  for (let i = 0; i < 2; i += 1) {
    await theme.click();
    seen.add(await background());
  }
  expect(seen.size).toBe(2);
  const chosen = await background();
  await page.reload();
  expect(await background()).toBe(chosen);
});

test.describe('on a small screen', () => {
  test.use({ viewport: { width: 390, height: 780 } });

  test('one column with a step back', async ({ page, target }) => {
    const server = await target('resumable');
    await connect(page, server.url);
    const tools = page.getByRole('list', { name: 'Tools' });
    await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeHidden();
    await startCountdown(page, 3, 0);
    await expect(tools).toBeHidden();
    await expect(result(page)).toContainText('1 2 3');
    await page.getByRole('button', { name: 'All tools' }).click();
    await expect(tools).toBeVisible();
    await timeline(page).getByRole('button', { name: 'Timeline' }).click();
    await expect(timeline(page).getByRole('listbox')).toBeVisible();
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(isWider, 'nothing is wider than the screen').toBe(false);
  });
});
