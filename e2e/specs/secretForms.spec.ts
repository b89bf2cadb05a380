// Servers send back every secret in every encoding. None is found, by value, in what is stored, exported, copied, printed or sent elsewhere.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { copiedBy } from './copiedBy.ts';
import { EchoServer } from './echoServer.ts';
import { expect, storedKeys, test as base, type Inspector } from './inspector.ts';
import { untilState } from './loggedIn.ts';
import { missedCanaries, searchSecrets, type Named } from './secretSearch.ts';
import { openSection } from './sections.ts';
import { showLog, timelineOf } from './timelinePage.ts';

const URL_KEY = 'KEY+in/URL-42';
const HEADER = 'sk+header/77-ab';
const CLIENT_SECRET = 'client+secret/51-cd';
const ARGUMENT = 'argument+of/a-password';
const BEARER = 'bearer+token/of-42';
const PASSWORD = 'basic+password/9';
const CANARY = 'canary+in/every-place';

const test = base.extend<{ echo: (asksForLogin: boolean) => Promise<EchoServer> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  echo: async ({}, use) => {
    const running: EchoServer[] = [];
    await use(async (asksForLogin) => {
      const server = await new EchoServer({ asksForLogin }).start();
      running.push(server);
      return server;
    });
    await Promise.all(running.map((server) => server.close()));
  },
});

test.use({ serviceWorkers: 'allow' });

/** Everything that the browser keeps of the page, by place; names of records and of caches included. */
async function storedBy(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const bytes = (part: ArrayBuffer | ArrayBufferView) => new TextDecoder('latin1').decode(part);
    const text = (value: unknown): string =>
      JSON.stringify(value, (_key, part: unknown) =>
        part instanceof ArrayBuffer || ArrayBuffer.isView(part) ? bytes(part) : part,
      ) ?? '';
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error('The database can’t be read.'));
      });
    const places: Record<string, string> = {
      localStorage: text(Object.entries(localStorage)),
      sessionStorage: text(Object.entries(sessionStorage)),
      cookies: document.cookie,
      history: text(history.state),
      address: location.href,
      document: document.documentElement.outerHTML,
    };
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName);
        const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
        places[`keys of ${name}/${storeName}`] = text(keys);
        keys.forEach((key, i) => (places[`${name}/${storeName} ${text(key)}`] = text(values[i])));
      }
      database.close();
    }
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = await Promise.all(opened.map((cache) => cache.keys()));
    places['caches'] = text([await caches.keys(), requests.flat().map(({ url }) => url)]);
    return places;
  });
}

async function exportedBy(page: Page): Promise<Record<string, string>> {
  const files: Record<string, string> = {
    'export by script': await page.evaluate(() => window.reprise.exportLog()),
  };
  await timelineOf(page).region.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export and import' });
  for (const isBare of [false, true]) {
    await dialog.getByLabel('Exclude message contents').setChecked(isBare);
    for (const format of ['Reprise log (JSON)', 'HAR 1.2', 'HTML report']) {
      const downloading = page.waitForEvent('download');
      await dialog.getByRole('button', { name: format, exact: true }).click();
      files[`${format}${isBare ? ' without message bodies' : ''}`] = await contentOf(await downloading);
    }
  }
  await dialog.getByRole('button', { name: 'Close' }).click();
  return files;
}

/** Every form in which a sent call, and a message, can be copied; and the link to the server. */
async function copiedFrom(page: Page): Promise<Record<string, string>> {
  const copied: Record<string, string> = {};
  const timeline = timelineOf(page);
  await showLog(page);
  for (const method of ['tools/call', 'notifications/message']) {
    await timeline.filter.fill(`method:${method}`);
    await timeline.row(new RegExp(method)).first().click();
    const choice = timeline.entry.getByLabel('Copy as');
    const options = choice.locator('option');
    await expect(options).toHaveCount(8);
    const formats = await options.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    for (const format of formats.filter((one) => one !== null && one !== '')) {
      copied[`${method} as ${format}`] = await copiedBy(page, () => choice.selectOption(format));
    }
  }
  expect(Object.keys(copied)).toEqual(expect.arrayContaining(['tools/call as curl', 'tools/call as sdk']));
  await timeline.filter.fill('');
  await openSection(page, 'Info');
  const copyLink = page.getByRole('button', { name: 'Copy link' });
  copied['link to the server'] = await copiedBy(page, () => copyLink.click());
  return copied;
}

/** As after a start that has failed with these servers. */
async function rescuedFrom({ page }: Inspector): Promise<Record<string, string>> {
  const ids = (await storedKeys(page, '^servers/.*/log/head$')).map((key) => key.split('/')[1] ?? '');
  await page.evaluate((all) => {
    for (const id of all) localStorage.setItem(`reprise.starting/${id}`, 'x');
  }, ids);
  await page.reload();
  const files: Record<string, string> = {};
  const held = page.getByRole('region', { name: 'Servers that aren’t open' });
  await expect(held.getByRole('listitem')).not.toHaveCount(0);
  for (const item of await held.getByRole('listitem').all()) {
    const downloading = page.waitForEvent('download');
    await item.getByRole('button', { name: 'Export' }).click();
    files[`rescue export ${Object.keys(files).length + 1}`] = await contentOf(await downloading);
  }
  files['rescue page'] = await page.evaluate(() => document.documentElement.outerHTML);
  return files;
}

const contentOf = async (download: { path(): Promise<string> }) => readFile(await download.path(), 'utf8');

async function callAll(inspector: Inspector): Promise<void> {
  for (const tool of ['echo', 'crash', 'refuse']) {
    await inspector.untilEnded(await inspector.call(tool, { word: ARGUMENT }));
  }
}

function expectNone(secrets: Named, places: Named): void {
  expect(missedCanaries(secrets, places), 'planted secrets that the search misses').toEqual([]);
  const found = searchSecrets(secrets, places).map(({ secret, place }) => `${secret} in ${place}`);
  expect([...new Set(found)], 'secrets that were found').toEqual([]);
}

const without = (secrets: Named, ...names: readonly string[]): Named =>
  Object.fromEntries(Object.entries(secrets).filter(([name]) => !names.includes(name)));

test('no secret is in anything that is stored, exported, copied, printed or sent elsewhere', async ({
  inspector,
  echo,
  target,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: new URL(baseURL ?? '').origin,
  });
  const { page } = inspector;
  const printed: string[] = [];
  context.on('console', (message) => printed.push(message.text()));
  const toSite: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '')) return;
    toSite.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });

  const typed = await echo(false);
  const basic = Buffer.from(`ann:${PASSWORD}`).toString('base64');
  typed.expect({ bearer: BEARER, argument: ARGUMENT, 'Basic password': PASSWORD });
  await inspector.connect(typed.url, {
    name: 'typed',
    bearer: BEARER,
    headers: { 'X-Auth': `Basic ${basic}` },
  });
  await callAll(inspector);

  const oauth = await echo(true);
  oauth.expect({ 'URL key': URL_KEY, header: HEADER, 'client secret': CLIENT_SECRET, argument: ARGUMENT });
  const url = `${oauth.url}?api_key=${encodeURIComponent(URL_KEY)}`;
  const options = {
    name: 'oauth',
    clientId: 'a-client',
    clientSecret: CLIENT_SECRET,
    headers: { 'X-Team-Key': HEADER },
  };
  await page.evaluate(([u, o]) => window.reprise.connect(u, o), [url, options] as const);
  await untilState(inspector, 'authorizing');
  const before = await storedBy(page);
  typed.pageIsReloaded();
  await page
    .getByRole('button', { name: /^Log in/ })
    .first()
    .click();
  await untilState(inspector, 'connected');
  // Which arguments are secret is in the list of tools.
  await page.evaluate(() => window.reprise.tools());
  await callAll(inspector);
  oauth.expireToken();
  await callAll(inspector);
  expect(Object.keys(oauth.secrets)).toEqual(
    expect.arrayContaining(['PKCE verifier', 'second access token']),
  );

  const third = await target('resumable');
  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.url().startsWith(third.origin)) {
      sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
    }
  });
  await inspector.connect(third.url, { name: 'third' });
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  oauth.pageIsReloaded();
  await inspector.reload();
  await page.evaluate(() => window.reprise.select('oauth'));
  await untilState(inspector, 'connected');

  const kept = await storedBy(page);
  // As it goes to the token endpoint (RFC 6749, 2.3.1).
  const basicPair = Buffer.from(`a-client:${encodeURIComponent(CLIENT_SECRET)}`).toString('base64');
  const secrets = { ...typed.secrets, ...oauth.secrets, 'client credentials': basicPair };
  const places = {
    ...Object.fromEntries(Object.entries(before).map(([place, text]) => [`${place}, before`, text])),
    ...kept,
    ...(await exportedBy(page)),
    ...(await copiedFrom(page)),
  };
  await page.evaluate(() => window.reprise.select('typed'));
  const ofTyped = await page.evaluate(() => window.reprise.exportLog());
  const rescued = await rescuedFrom(inspector);
  expect(Object.keys(rescued)).toHaveLength(4);
  expectNone(secrets, { ...places, ...rescued, 'typed: export': ofTyped, console: printed.join('\n') });

  // The browser comes back to the site with the code; nothing can change that.
  expectNone(without(secrets, 'authorization code'), { 'requests to the site': toSite.join('\n') });
  expectNone(secrets, { 'requests to a third server': sent.join('\n') });
  expect(sent.length).toBeGreaterThan(3);
  const ofLogin = [
    'client secret',
    'client credentials',
    'refresh token',
    'authorization code',
    'PKCE verifier',
  ];
  expectNone(without(secrets, ...ofLogin), { 'received by the issuer': oauth.issuer.received.join('\n') });
  const ofServer = ['session ID', 'access token', 'second access token', 'URL key', 'header', 'argument'];
  expectNone(without(secrets, ...ofServer), { 'received by the server': oauth.server.received.join('\n') });
  expectNone(without(secrets, 'session ID', 'bearer', 'argument', 'Basic password'), {
    'received by the other server': typed.server.received.join('\n'),
  });
  expect(typed.issuer.received).toEqual([]);

  // And what was really used is found where it has to be.
  const used = searchSecrets(secrets, {
    issuer: oauth.issuer.received.join('\n'),
    server: oauth.server.received.join('\n'),
  });
  const names = new Set(used.map(({ secret }) => secret));
  for (const name of [...ofLogin.slice(1), 'URL key', 'header', 'argument', 'session ID', 'access token']) {
    expect([...names], 'used secrets').toContain(name);
  }
});

test('the search finds a canary in each place where something is stored', async ({ inspector }) => {
  const { page } = inspector;
  await page.evaluate(async (canary) => {
    localStorage.setItem('x', canary);
    sessionStorage.setItem(canary, 'x');
    document.cookie = `x=${encodeURIComponent(canary)}`;
    history.replaceState({ canary }, '', `#${encodeURIComponent(canary)}`);
    document.title = canary;
    await caches.open(canary);
    const opening = indexedDB.open('canary', 1);
    await new Promise((resolve) => {
      opening.onupgradeneeded = () => opening.result.createObjectStore('records');
      opening.onsuccess = () => {
        const change = opening.result.transaction('records', 'readwrite');
        change.oncomplete = resolve;
        change.objectStore('records').put({ deep: [new TextEncoder().encode(canary)] }, 'value');
        change.objectStore('records').put('x', canary);
      };
    });
    opening.result.close();
  }, CANARY);
  const found = searchSecrets({ canary: CANARY }, await storedBy(page)).map(({ place }) => place);
  for (const place of [
    'localStorage',
    'sessionStorage',
    'cookies',
    'history',
    'address',
    'document',
    'caches',
    'keys of canary/records',
    'canary/records "value"',
  ]) {
    expect(found).toContain(place);
  }
});
