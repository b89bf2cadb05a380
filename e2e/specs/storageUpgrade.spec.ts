// A browser that used a version which stored servers by their names: everything of them is there after the update.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, Inspector, test } from './inspector.ts';
import { openSection } from './sections.ts';
import { timelineOf } from './timelinePage.ts';

interface Session {
  readonly sessionId: string;
}

/** Dumped from a browser; the host, the sessions and their streams are put in anew. */
interface Dump {
  readonly host: string;
  readonly records: Readonly<Record<string, unknown>>;
  readonly localStorage: Readonly<Record<string, string>>;
  readonly sessionStorage: Readonly<Record<string, string>>;
}

const readDump = () => readFile('e2e/specs/fixtures/storageKeyedByName.json', 'utf8');
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  origin: 'http://localhost',
};

/** A session that a page left, and the first event ID of its standalone stream. */
async function leaveSession(url: string): Promise<{ id: string; eventId: string }> {
  const post = (session: Record<string, string>, message: object) =>
    fetch(url, {
      method: 'POST',
      headers: { ...HEADERS, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 'page', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answer = await post({}, { id: 1, method: 'initialize', params });
  await answer.text();
  const id = answer.headers.get('mcp-session-id') ?? '';
  const session = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
  await post(session, { method: 'notifications/initialized' });
  const leaving = new AbortController();
  const stream = await fetch(url, { headers: { ...HEADERS, ...session }, signal: leaving.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && !/^id: ?\S+\n/m.test(text)) text += (await reader.read()).value ?? '';
  leaving.abort();
  return { id, eventId: /^id: ?(\S+)/m.exec(text)?.[1] ?? '' };
}

/** The dump, as if it came from this server. */
async function dumpFor(url: string): Promise<Dump> {
  let text = await readDump();
  const { host, records } = JSON.parse(text) as Dump;
  for (const [key, value] of Object.entries(records)) {
    const name = /^server\/(.*)\/session$/.exec(key)?.[1];
    if (name === undefined) continue;
    const left = await leaveSession(url);
    const head = records[`log/${name}/head`] as { head: { streams: { cursor: string }[] } };
    text = text.replaceAll((value as Session).sessionId, left.id);
    for (const { cursor } of head.head.streams) text = text.replaceAll(cursor, left.eventId);
  }
  return JSON.parse(text.replaceAll(host, new URL(url).host)) as Dump;
}

/** Before the app is there: its database is made as the earlier version made it. */
async function restore(page: Page, dump: Dump): Promise<void> {
  await page.goto('./icon.svg');
  await page.evaluate(async ({ records, localStorage: forAll, sessionStorage: forTab }) => {
    const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const revive = async (value: unknown): Promise<unknown> => {
      if (Array.isArray(value)) return Promise.all(value.map(revive));
      if (typeof value !== 'object' || value === null) return value;
      const { $bytes, $buffer, $key } = value as { $bytes?: string; $buffer?: string; $key?: JsonWebKey };
      if ($bytes !== undefined) return bytes($bytes);
      if ($buffer !== undefined) return bytes($buffer).buffer;
      if ($key) return crypto.subtle.importKey('jwk', $key, 'AES-GCM', false, ['encrypt', 'decrypt']);
      const pairs = Object.entries(value).map(async ([name, part]) => [name, await revive(part)] as const);
      return Object.fromEntries(await Promise.all(pairs));
    };
    const revived = await Promise.all(
      Object.entries(records).map(async ([key, value]) => [key, await revive(value)] as const),
    );
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open('reprise');
      opening.onupgradeneeded = () => opening.result.createObjectStore('records');
      opening.onerror = () => reject(new Error("Can't open IndexedDB."));
      opening.onsuccess = () => {
        const transaction = opening.result.transaction('records', 'readwrite');
        for (const [key, value] of revived) transaction.objectStore('records').put(value, key);
        transaction.oncomplete = () => {
          opening.result.close();
          resolve();
        };
      };
    });
    for (const [key, text] of Object.entries(forAll)) localStorage.setItem(key, text);
    for (const [key, text] of Object.entries(forTab)) sessionStorage.setItem(key, text);
  }, dump);
}

const serverList = (page: Page) => page.getByLabel('Server', { exact: true });

test(
  'logs, results, sessions, credentials, settings and what a tab keeps are there after an update',
  { tag: '@long' },
  async ({ page, watch, target }) => {
    const server = await target('resumable');
    const dump = await dumpFor(server.url);
    const sessionsBefore = server.stats().sessions.length;
    await restore(watch(page), dump);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url() === server.url) sent.push(request.headers()['authorization'] ?? '');
    });
    const inspector = await new Inspector(page).open();
    const { host } = new URL(server.url);
    await expect(serverList(page).getByRole('option')).toHaveText([
      `${host}/mcp`,
      host,
      'Alpha One',
      'alpha (imported)',
      'servers',
    ]);
    // The server that was selected, with what the tab has kept of it.
    await expect(serverList(page).locator('option:checked')).toHaveText('Alpha One');
    await expect(page.getByRole('main')).toHaveAccessibleName('Client');
    await expect(timelineOf(page).filter).toHaveValue('method:progress');
    // Each session goes on, and with it the credentials.
    await expect(page.getByRole('status')).toContainText('Reconnected');
    expect(server.stats().sessions).toHaveLength(sessionsBefore);
    await expect.poll(() => sent).toContain('Bearer recorded-bearer-7d1');
    expect(await inspector.calls()).toMatchObject([
      {
        tool: 'countdown',
        server: 'Alpha One',
        name: 'settled',
        result: { structuredContent: { ticks: [1, 2, 3] } },
      },
    ]);
    const entries = await inspector.entries();
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: entries.length }, (_, i) => i + 1));
    expect(new Set(entries.map(({ load }) => load))).toEqual(new Set([1, 2, 3]));
    await openSection(page, 'Tools');
    await expect(page.getByLabel('ticks')).toHaveValue('7');
    await expect(page.getByText('Saved (1)')).toBeVisible();
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    const item = page.getByRole('dialog').getByRole('listitem', { name: 'Alpha One', exact: true });
    await item.getByRole('button', { name: 'Edit' }).click();
    await expect(item.getByLabel('Call timeout (seconds)')).toHaveValue('90');
    await expect(item.getByLabel('Bearer token')).toHaveValue('recorded-bearer-7d1');
    await page.keyboard.press('Escape');

    await serverList(page).selectOption('alpha (imported)');
    // The sentence is as the earlier version stored it.
    await expect(page.getByRole('status')).toContainText('imported from c-export.json');
    expect(await inspector.entries()).not.toEqual([]);
    for (const name of [`${host}/mcp`, host, 'servers']) {
      await page.evaluate((one) => window.reprise.select(one), name);
      await page.waitForFunction(() => window.reprise.state().name === 'connected');
      expect(await inspector.state()).toMatchObject({ how: 'resumed' });
    }
    await inspector.reload();
    await expect(serverList(page).getByRole('option')).toHaveCount(5);
  },
);

test('while a tab of the earlier version is open, its server stays there and the page says so', async ({
  page,
  context,
  watch,
  target,
}) => {
  const server = await target('resumable');
  const dump = await dumpFor(server.url);
  await restore(watch(page), dump);
  const old = await context.newPage();
  await old.goto('./icon.svg');
  // What such a tab does as long as it lives.
  await old.evaluate(
    () =>
      new Promise<void>((resolve) => {
        void navigator.locks.request('reprise/alpha', () => {
          resolve();
          return new Promise(() => undefined);
        });
      }),
  );
  await new Inspector(page).open();
  await expect(page.getByText('“Alpha One” is open in a tab with an earlier version')).toBeVisible();
  await expect(serverList(page).getByRole('option')).toHaveCount(4);
  await old.close();
  await expect(serverList(page).getByRole('option')).toHaveCount(5);
  await page.evaluate(() => window.reprise.select('Alpha One'));
  await expect(page.getByRole('status')).toContainText('Reconnected');
});
