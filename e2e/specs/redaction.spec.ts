// A server sends back every secret that it was given, in every form: none of them is kept, shown, exported or copied.
import type { Page } from '@playwright/test';
import { copiedBy } from './copiedBy.ts';
import { expect } from './inspector.ts';
import { event, test } from './rawSseServer.ts';
import { openSection } from './sections.ts';
import { showLog, timelineOf } from './timelinePage.ts';

const SESSION = '5e55101d-1111-4222-8333-0123456789ab';
const BEARER = 'bearer/+token 42';
const KEY = 'KEY-IN-URL/+42';
const HEADER = 'sk-header/+77';
const PASSWORD = 'hunter/+22 ä';
const PIN = '4711';

const login = {
  name: 'login',
  inputSchema: {
    type: 'object',
    properties: {
      user: { type: 'string' },
      word: { type: 'string', format: 'password' },
      pin: { type: 'string', writeOnly: true },
    },
    required: ['user', 'word'],
  },
};

/** The forms in which servers send a value back. */
function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const base64 = Buffer.from(value).toString('base64');
  return [
    value,
    json.replaceAll('/', '\\/'),
    json.replaceAll('+', '\\u002B'),
    encodeURIComponent(value),
    encodeURIComponent(value).replace(/%../g, (hex) => hex.toLowerCase()),
    new URLSearchParams({ v: value }).toString().slice(2),
    base64,
    Buffer.from(value).toString('base64url'),
    Buffer.from(`user:${value}`).toString('base64'),
  ];
}

async function everythingKept(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const opening = indexedDB.open('reprise');
        opening.onsuccess = () => {
          const store = opening.result.transaction('records').objectStore('records');
          const [keys, values] = [store.getAllKeys(), store.getAll()];
          values.onsuccess = () => {
            opening.result.close();
            const places = [Object.entries(localStorage), Object.entries(sessionStorage)];
            resolve(JSON.stringify([keys.result, values.result, places]));
          };
        };
      }),
  );
}

test('secrets that come back in any form are hidden in the log, in exports, links and copies', async ({
  inspector,
  raw,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: new URL(baseURL ?? '').origin,
  });
  const { page } = inspector;
  const got: unknown[] = [];
  const server = await raw({
    sessionId: SESSION,
    tools: [{ ...login, description: `Your token is ${BEARER}.` }],
    answer: ({ id, args, request }) => {
      got.push({ args, headers: request.headers, url: request.url });
      const values = [BEARER, KEY, HEADER, PASSWORD, SESSION, `Token ${HEADER}`];
      const said = values.flatMap(formsOf);
      const progress = { progressToken: id, progress: 1, message: said.join(' | ') };
      const text = event('e1', { jsonrpc: '2.0', method: 'notifications/progress', params: progress });
      // As PHP and .NET print JSON.
      const echo = JSON.stringify({ values, inner: JSON.stringify(values) });
      const escaped = echo.replaceAll('/', '\\/').replaceAll('+', '\\u002b');
      const result = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${escaped}}}`;
      return { text: text + event('e2', result), end: true };
    },
  });
  await inspector.connect(`${server.url}?a=b&api_key=${encodeURIComponent(KEY)}`, {
    name: 'echo',
    bearer: BEARER,
    headers: { 'X-Auth': `Token ${HEADER}` },
  });
  const id = await inspector.call('login', { user: 'ann', word: PASSWORD, pin: PIN });
  await inspector.untilEnded(id);
  expect(got).toMatchObject([
    {
      args: { user: 'ann', word: PASSWORD, pin: PIN },
      headers: { authorization: `Bearer ${BEARER}`, 'x-auth': `Token ${HEADER}` },
    },
  ]);
  expect((await inspector.callNamed(id)).args).toEqual({
    user: 'ann',
    word: '‹redacted›',
    pin: '‹redacted›',
  });

  const exported = await page.evaluate(() => window.reprise.exportLog());
  await inspector.reload();
  const kept = await everythingKept(page);
  const places = { exported, kept, again: await page.evaluate(() => window.reprise.exportLog()) };
  for (const [place, text] of Object.entries(places)) {
    for (const value of [BEARER, KEY, HEADER, PASSWORD, SESSION]) {
      for (const form of formsOf(value)) {
        expect(text.includes(form), `${form} in ${place}`).toBe(false);
        expect(text.includes(JSON.stringify(form).slice(1, -1)), `${form} as JSON in ${place}`).toBe(false);
      }
    }
    expect(text).not.toContain(`"pin":"${PIN}"`);
    expect(text).toContain('"user":"ann"');
  }
  expect(exported).toContain('?a=b&api_key=‹redacted›');
  expect(exported).toContain(`"mcp-session-id":"${SESSION.slice(0, 8)}…"`);

  await openSection(page, 'Info');
  await expect(page.getByText('?a=b&api_key=‹redacted›')).toBeVisible();
  const link = await copiedBy(page, () => page.getByRole('button', { name: 'Copy link' }).click());
  expect(new URLSearchParams(new URL(link).hash.slice(1)).get('server')).toBe(`${server.url}?a=b`);

  const asked = new URLSearchParams({ server: `${server.url}?a=b&api_key=${encodeURIComponent(KEY)}` });
  await page.evaluate((hash) => (location.hash = hash), asked.toString());
  const linkBar = page.getByRole('region', { name: 'Link' });
  await expect(linkBar).toContainText(`${server.url}?a=b&api_key=‹redacted›`);
  await expect(linkBar).toContainText('In your list as echo.');
  await linkBar.getByRole('button', { name: 'Dismiss' }).click();

  const timeline = timelineOf(page);
  await showLog(page);
  await timeline.filter.fill('kind:sent method:tools/call');
  await timeline.rows.first().click();
  const curl = await copiedBy(page, () => timeline.entry.getByLabel('Copy as').selectOption('curl'));
  expect(curl).toContain('api_key=YOUR_API_KEY');
  expect(curl).not.toMatch(/hunter|bearer\/|sk-header|KEY-IN/);
});

test('a call with a secret argument is not repeated without it: the secret is asked for again', async ({
  inspector,
  raw,
}) => {
  const { page } = inspector;
  const got: unknown[] = [];
  const tools: object[] = [login];
  const server = await raw({
    tools,
    answer: ({ id, args }) => {
      got.push(args);
      return { text: event('e1', { jsonrpc: '2.0', id, result: { content: [] } }), end: true };
    },
  });
  await inspector.connect(server.url, { name: 'secrets' });
  const id = await inspector.call('login', { user: 'ann', word: PASSWORD });
  await inspector.untilEnded(id);
  await inspector.reload();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('button', { name: 'Call again' }).click();
  await expect(result.getByRole('alert')).toHaveText(
    'Reprise doesn’t store secret values. Enter “word” again.',
  );
  await expect(inspector.call('login', { user: 'ann', word: '‹redacted›' })).rejects.toThrow(
    'Enter “word” again',
  );

  await result.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('textbox', { name: 'user' })).toHaveValue('ann');
  await expect(page.getByLabel(/^word/)).toHaveValue('');
  await page.getByLabel(/^word/).fill('another');
  tools[0] = { ...login, description: 'A newer way in' };
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByText('A newer way in').first()).toBeVisible();
  await expect(page.getByLabel(/^word/), 'a new list of tools leaves what was typed').toHaveValue('another');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect
    .poll(() => got)
    .toEqual([
      { user: 'ann', word: PASSWORD },
      { user: 'ann', word: 'another' },
    ]);
});

test('a header that looks like JSON breaks no message', async ({ inspector, raw }) => {
  const server = await raw({
    tools: [login],
    answer: ({ id }) => ({ text: event('e1', { jsonrpc: '2.0', id, result: { content: [] } }), end: true }),
  });
  await inspector.connect(server.url, { name: 'odd', headers: { 'X-Odd': '{"jsonrpc' } });
  const id = await inspector.call('login', { user: 'ann', word: 'x' });
  expect(await inspector.untilEnded(id)).toMatchObject({ name: 'settled' });
  await inspector.reload();
  expect((await inspector.entries('kind:received')).every(({ message }) => message && 'id' in message)).toBe(
    true,
  );
});
