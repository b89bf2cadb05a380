// Every token, code, verifier and secret that was used is searched for by value in whatever the page keeps or says.
import type { BrowserContext, Page } from '@playwright/test';
import { HostileServer } from './hostileServer.ts';
import { expect, test } from './inspector.ts';
import { askForLogin, connectLoggedIn, logIn, registerByHand, untilListed, untilState } from './loggedIn.ts';
import { openSection } from './sections.ts';

test.use({ serviceWorkers: 'allow' });

const SECRET = /^(code|code_verifier|client_secret|token|refresh_token|access_token|state)$/;

/** Collects the secrets as they cross the wire. */
function collectSecrets(context: BrowserContext): Set<string> {
  const secrets = new Set<string>();
  const take = (fields: Iterable<readonly [string, unknown]>) => {
    for (const [name, value] of fields) {
      if (SECRET.test(name) && typeof value === 'string' && value !== '') secrets.add(value);
    }
  };
  context.on('request', (request) => {
    take(new URL(request.url()).searchParams);
    take(new URLSearchParams(request.postData() ?? ''));
  });
  context.on('response', (response) => {
    if (!/\/oauth\/(token|register)$/.test(response.url())) return;
    response.json().then(
      (answer: object) => take(Object.entries(answer)),
      () => undefined,
    );
  });
  return secrets;
}

async function everythingKept(page: Page) {
  return page.evaluate(async () => {
    const text = (value: unknown): string =>
      JSON.stringify(value, (_key, part: unknown) =>
        part instanceof ArrayBuffer ? new TextDecoder().decode(part) : part,
      );
    const namesInCaches = async () => {
      const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const kept = await Promise.all(opened.map((cache) => cache.keys()));
      return kept.flat().map(({ url }) => url);
    };
    const records = await new Promise<unknown>((resolve) => {
      const opening = indexedDB.open('reprise');
      opening.onsuccess = () => {
        const store = opening.result.transaction('records').objectStore('records');
        const [keys, values] = [store.getAllKeys(), store.getAll()];
        values.onsuccess = () => resolve([keys.result, values.result]);
      };
    });
    return {
      indexedDB: text(records),
      localStorage: text(Object.entries(localStorage)),
      sessionStorage: text(Object.entries(sessionStorage)),
      export: await window.reprise.exportLog().catch(() => ''),
      document: document.documentElement.outerHTML,
      address: location.href,
      history: text(history.state),
      cookies: document.cookie,
      caches: text(await namesInCaches()),
      console: '',
    };
  });
}

test(
  'after logins, refreshes, a denial and a revocation, no secret that was used or typed is left anywhere',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const context = page.context();
    const secrets = collectSecrets(context);
    const said: string[] = [];
    context.on('console', (message) => said.push(message.text()));
    const server = await target('oauth');
    const { clientId, clientSecret } = await registerByHand(server, page.url(), 'client_secret_basic');
    // The worker, if there is one, takes part in a refresh.
    await inspector.connect(new URL('demo/mcp', page.url()).href);
    await askForLogin(inspector, server.url, { clientId, clientSecret });
    await logIn(inspector, 'Deny');
    await untilState(inspector, 'authorizing');
    await logIn(inspector);
    await untilState(inspector, 'connected');
    await untilListed(inspector);
    await server.control('expire-tokens');
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
    await inspector.reload();
    await openSection(page, 'Auth');
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await untilState(inspector, 'disconnected');
    await askForLogin(inspector, server.url, { clientId, clientSecret });
    await logIn(inspector);
    await untilState(inspector, 'connected');
    // It allows whatever header a page asks for.
    const open = await new HostileServer().start();
    const typed = { bearer: 'typed-bearer-51c7', headers: { 'X-Team-Key': 'typed-header-90ab' } };
    await inspector.connect(open.url, typed);
    const kept = [await everythingKept(page)];
    await inspector.reload();
    await open.close();
    await page.evaluate((id) => window.reprise.select(id), server.url.replace('http://', ''));
    kept.push({ ...(await everythingKept(page)), console: said.join('\n') });

    for (const value of [clientSecret, btoa(`${clientId}:${clientSecret}`), typed.bearer]) secrets.add(value);
    secrets.add(typed.headers['X-Team-Key']);
    expect(secrets.size, 'secrets that were used').toBeGreaterThan(12);
    for (const [place, text] of kept.flatMap((places) => Object.entries(places))) {
      const found = [...secrets].filter((secret) => text.includes(secret));
      expect(found, `secrets in ${place}`).toEqual([]);
    }
    // And the search does find what is there.
    for (const text of [new URL(server.url).host, clientId]) expect(kept[1]?.indexedDB).toContain(text);
  },
);

test('“Forget this server” removes tokens, registration and log', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const before = await everythingKept(page);
  const { host } = new URL(server.url);
  expect(before.indexedDB).toContain(host);
  await page.getByText('Authorization and headers').click();
  await page.getByRole('button', { name: 'Remove server' }).click();
  await expect(page.getByRole('button', { name: 'Open the demo' })).toBeVisible();
  // It could be taken back for a while; whoever puts the notice away does not want that.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(async () => (await everythingKept(page)).indexedDB).not.toContain(host);
  const after = await everythingKept(page);
  expect(after.indexedDB).not.toContain(host);
  expect(after.indexedDB).not.toContain(encodeURIComponent(host));
  await askForLogin(inspector, server.url);
});
