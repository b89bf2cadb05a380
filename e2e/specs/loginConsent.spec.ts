// What a login may do and where it leads: nothing before a click, no code for another issuer, no secret in the log.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostileServer } from './hostileServer.ts';
import { expect, test as base } from './inspector.ts';
import { askForLogin, connectLoggedIn, logIn, registerByHand, untilState } from './loggedIn.ts';

/** A name that counts as elsewhere; playwright.config.ts leads it to this machine. */
const ELSEWHERE = 'elsewhere.example';

const test = base.extend<{ hostile: HostileServer; local: { origin: string; requests: string[] } }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  hostile: async ({}, use) => {
    const server = await new HostileServer().start();
    server.asksForLogin = true;
    await use(server);
    await server.close();
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  local: async ({}, use) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
});

const bar = { name: 'Login' };

test.describe('before the click', () => {
  for (const { what, attack } of [
    {
      what: 'resource metadata',
      attack: (origin: string) => ({ challenge: `Bearer resource_metadata="${origin}/admin/reboot?now=1"` }),
    },
    {
      what: 'authorization server',
      attack: (origin: string, server: string) => ({
        resource: { resource: server, authorization_servers: [origin] },
      }),
    },
  ]) {
    test(`no local service is asked for a server elsewhere that names it as ${what}`, async ({
      inspector: { page },
      hostile,
      local,
    }) => {
      const url = hostile.url.replace('127.0.0.1', ELSEWHERE);
      hostile.attack = attack(local.origin, url);
      await page.evaluate((u) => window.reprise.connect(u), url);
      expect(local.requests).toEqual([]);
      const login = page.getByRole('region', bar);
      await expect(login).toContainText(new URL(local.origin).host);
      await expect(login).toContainText(`This isn’t the server’s host (${new URL(url).host})`);
      await expect(login).toContainText('The connection isn’t encrypted (HTTP).');
      expect(local.requests).toEqual([]);
      expect(hostile.seen.filter(({ method, path }) => method === 'POST' && path !== '/mcp')).toEqual([]);
      await test.step('the click is the consent', async () => {
        await page.getByRole('button', { name: 'Log in', exact: true }).click();
        await expect.poll(() => local.requests).not.toEqual([]);
      });
    });
  }

  test('the bar names the host, and the issuer that gets a typed client ID', async ({
    inspector,
    hostile,
    target,
  }) => {
    const { page } = inspector;
    const login = page.getByRole('region', bar);
    await test.step('of the server itself', async () => {
      const server = await target('oauth');
      await askForLogin(inspector, server.url);
      await expect(login).toContainText(`Log in at ${new URL(server.url).host}.`);
      await expect(login).not.toContainText('isn’t the server’s host');
    });
    await test.step('of a third party', async () => {
      const other = await target('oauth');
      hostile.attack = { resource: { authorization_servers: [other.origin] } };
      await askForLogin(inspector, hostile.url, { clientId: 'my-client', clientSecret: 'my-secret-1234' });
      await expect(login).toContainText(`Log in at ${new URL(other.url).host}.`);
      await expect(login).toContainText(`This isn’t the server’s host (${new URL(hostile.url).host})`);
      await expect(login).toContainText(`Your client ID my-client is sent to ${other.origin} only.`);
      await page.getByText('Authorization and headers', { exact: true }).click();
      await expect(page.getByText(`Sent to ${other.origin}`, { exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Servers', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Servers' });
      await dialog.getByRole('button', { name: 'Edit' }).last().click();
      await expect(dialog.getByText(`Sent to ${other.origin}`, { exact: true })).toBeVisible();
      expect(hostile.seen.some(({ path }) => path === '/register')).toBe(false);
    });
  });
});

test('a login page that sends the browser on to another authorization server gets no code of that one', async ({
  inspector,
  hostile,
  target,
}) => {
  const { page } = inspector;
  const honest = await target('oauth');
  await honest.control('no-iss');
  const asked = page.waitForRequest('**/oauth/authorize?*');
  await connectLoggedIn(inspector, honest.url);
  const { searchParams: known } = new URL((await asked).url());
  await honest.control('approve-all');
  hostile.attack = {
    issuer: { authorization_response_iss_parameter_supported: false },
    forward: ({ searchParams }) => {
      const url = new URL(`${honest.origin}/oauth/authorize`);
      for (const [name, value] of searchParams) url.searchParams.set(name, value);
      for (const name of ['client_id', 'redirect_uri', 'resource', 'scope']) {
        url.searchParams.set(name, known.get(name) ?? '');
      }
      return url.href;
    },
  };
  await askForLogin(inspector, hostile.url);
  const codes: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('code=')) codes.push(request.url());
  });
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect.poll(() => codes.length).toBe(1);
  await inspector.ready();
  expect(hostile.seen.filter(({ path }) => path === '/token')).toEqual([]);
  await untilState(inspector, 'authorizing');
  await expect(page.getByRole('region', bar)).toContainText('another authorization server (mix-up');
  expect(new URL(page.url()).search).toBe('');
});

test('where the redirect URL is fixed and iss is not promised, the bar warns of a mix-up', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('oauth');
  await server.control('no-iss');
  const client = await registerByHand(server, page.url(), 'client_secret_post');
  await server.control('secret-post');
  await askForLogin(inspector, server.url, client);
  await expect(page.getByRole('region', bar)).toContainText('can’t rule out a mix-up');
  await logIn(inspector);
  await untilState(inspector, 'connected');
});

for (const action of ['no-pkce', 'plain-pkce']) {
  test(`metadata without S256 is refused until the user continues anyway (${action})`, async ({
    inspector,
    target,
  }) => {
    const { page } = inspector;
    const server = await target('oauth');
    await server.control(action);
    await askForLogin(inspector, server.url);
    const login = page.getByRole('region', bar);
    await expect(login).toContainText('Reprise doesn’t log in there');
    await expect(page.getByRole('button', { name: 'Log in' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Continue anyway' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await untilState(inspector, 'connected');
    const steps = JSON.stringify(await inspector.entries('reason:no-pkce'));
    expect(steps).toContain('You continued anyway.');
  });
}

test('a login that was begun more than 15 minutes ago is over', async ({ inspector, target }) => {
  const { page } = inspector;
  const server = await target('oauth');
  await askForLogin(inspector, server.url);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  const approve = page.getByRole('button', { name: 'Approve', exact: true });
  await approve.waitFor();
  const redeemed: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth/token')) redeemed.push(request.url());
  });
  await page.clock.setSystemTime(Date.now() + 16 * 60_000);
  await approve.click();
  await expect(page.getByRole('region', bar)).toContainText('started more than 15 minutes ago');
  expect(redeemed).toEqual([]);
});

test('a token response in another form than JSON is not in the exported log', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('oauth');
  await server.control('form-tokens');
  await askForLogin(inspector, server.url);
  // Read on the way: the browser may have dropped a body by the time that somebody asks for it.
  const tokens = new URLSearchParams();
  await page.route('**/oauth/token', async (route) => {
    const response = await route.fetch();
    for (const [name, value] of new URLSearchParams(await response.text())) tokens.set(name, value);
    await route.fulfill({ response });
  });
  await logIn(inspector);
  await untilState(inspector, 'authorizing');
  await expect(page.getByRole('region', bar)).toContainText('isn’t a JSON object');
  const log = await page.evaluate(() => window.reprise.exportLog());
  for (const name of ['access_token', 'refresh_token']) {
    expect(tokens.get(name)?.length).toBeGreaterThan(20);
    expect(log).not.toContain(tokens.get(name));
  }
  expect(log).toContain('application/x-www-form-urlencoded');
});
