// Every token, code, verifier and secret that was used is searched for by value in whatever the page keeps or says.
import type { BrowserContext, Page } from '@playwright/test';
import { HostileServer } from './hostileServer.ts';
import { expect, test } from './inspector.ts';
import { askForLogin, connectLoggedIn, logIn, registerByHand, untilState } from './loggedIn.ts';

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
    };
  });
}

test('after logins, refreshes, a denial and a revocation, no secret is left anywhere', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const context = page.context();
  const secrets = collectSecrets(context);
  const said: string[] = [];
  context.on('console', (message) => said.push(message.text()));
  const server = await target('oauth');
  await askForLogin(inspector, server.url);
  await logIn(inspector, 'Deny');
  await untilState(inspector, 'authorizing');
  await connectLoggedIn(inspector, server.url);
  await server.control('expire-tokens');
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  await inspector.reload();
  await page.getByRole('button', { name: 'Auth', exact: true }).click();
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await untilState(inspector, 'disconnected');
  await connectLoggedIn(inspector, server.url);
  expect(secrets.size, 'secrets that were used').toBeGreaterThan(10);
  const kept = { ...(await everythingKept(page)), console: said.join('\n') };
  for (const [place, text] of Object.entries(kept)) {
    const found = [...secrets].filter((secret) => text.includes(secret));
    expect(found, `secrets in ${place}`).toEqual([]);
  }
  // And the search does find what is there.
  expect(kept.indexedDB).toContain(new URL(server.url).host);
});

test('a client secret, a bearer token and a header that a person typed are nowhere to be read', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const said: string[] = [];
  page.context().on('console', (message) => said.push(message.text()));
  const server = await target('oauth');
  const { clientId, clientSecret } = await registerByHand(server, page.url(), 'client_secret_basic');
  await askForLogin(inspector, server.url, { clientId, clientSecret });
  await logIn(inspector);
  await untilState(inspector, 'connected');
  await server.control('expire-tokens');
  await inspector.reload();
  await page.getByRole('button', { name: 'Auth', exact: true }).click();
  // It allows whatever header a page asks for.
  const open = await new HostileServer().start();
  const typed = { bearer: 'typed-bearer-51c7', headers: { 'X-Team-Key': 'typed-header-90ab' } };
  await inspector.connect(open.url, typed);
  await inspector.reload();
  await open.close();
  const secrets = [
    clientSecret,
    btoa(`${clientId}:${clientSecret}`),
    typed.bearer,
    typed.headers['X-Team-Key'],
  ];
  const kept = { ...(await everythingKept(page)), console: said.join('\n') };
  for (const [place, text] of Object.entries(kept)) {
    expect(
      secrets.filter((secret) => text.includes(secret)),
      `secrets in ${place}`,
    ).toEqual([]);
  }
  expect(kept.indexedDB).toContain(clientId);
});

test('“Forget this server” removes tokens, registration and log', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const before = await everythingKept(page);
  const { host } = new URL(server.url);
  expect(before.indexedDB).toContain(host);
  await page.getByText('Authorization and headers').click();
  await page.getByRole('button', { name: 'Forget this server' }).click();
  await expect(page.getByRole('button', { name: 'Open the demo' })).toBeVisible();
  // It could be taken back for a while; whoever puts the notice away does not want that.
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(async () => (await everythingKept(page)).indexedDB).not.toContain(host);
  const after = await everythingKept(page);
  expect(after.indexedDB).not.toContain(host);
  expect(after.indexedDB).not.toContain(encodeURIComponent(host));
  await askForLogin(inspector, server.url);
});
