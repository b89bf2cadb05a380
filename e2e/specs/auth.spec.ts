// OAuth in the page, against the `oauth` target: every way in, with reloads where they hurt. One page serves for
// several logins, because each login is a page load in itself.
import type { Page, Request, Route } from '@playwright/test';
import { expect, openTab, storedKeys, test } from './inspector.ts';
import {
  askForLogin,
  connectLoggedIn,
  logIn,
  registerByHand,
  untilListed,
  untilState,
  watchGrants,
  watchRefusals,
} from './loggedIn.ts';
import { openSection } from './sections.ts';

test.use({ serviceWorkers: 'allow' });

test('waits for a click, logs in by redirect, is where it was, and stays logged in', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  const { page } = inspector;
  const grants = watchGrants(page.context());
  const answers: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('code=')) answers.push(request.url());
  });
  const registrations: Request[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth/register')) registrations.push(request);
  });
  await askForLogin(inspector, server.url);
  const redirectUrl = page.url();
  expect(registrations, 'nothing is registered before the click').toEqual([]);
  await expect(page.getByRole('status').first()).toContainText('This server requires a login.');

  await test.step('a login that is denied says what the server said', async () => {
    await logIn(inspector, 'Deny');
    await untilState(inspector, 'authorizing');
    await expect(page.getByRole('region', { name: 'Login' })).toContainText('access_denied');
    expect(new URL(page.url()).search).toBe('');
    expect(registrations.map((request) => request.postDataJSON() as object)).toMatchObject([
      { application_type: 'native', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
    ]);
  });
  await test.step('and can be tried again; a public client shows no secret', async () => {
    const redeemed = page.waitForRequest('**/oauth/token');
    await logIn(inspector);
    await untilState(inspector, 'connected');
    expect(new URL(page.url()).search).toBe('');
    expect(await secretOf(await redeemed)).toBe('none');
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }), 3);
    expect(grants).toEqual(['authorization_code']);
  });
  const left: string[] = [];
  page.on('framenavigated', (frame) => left.push(new URL(frame.url()).origin));
  await test.step('a reload with a valid token asks for nothing', async () => {
    await inspector.reload();
    await untilState(inspector, 'connected');
    expect(grants).toEqual(['authorization_code']);
  });
  await test.step('a reload with a token that has ended refreshes it', async () => {
    await untilListed(inspector);
    await server.control('expire-tokens');
    await inspector.reload();
    await untilState(inspector, 'connected');
    expect(grants).toEqual(['authorization_code', 'refresh_token']);
  });
  await test.step('a token that ends between two calls is refreshed, and the call is sent once', async () => {
    await untilListed(inspector);
    await server.control('expire-tokens');
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 3, intervalMs: 20 }), 3);
    expect(server.stats().calls).toEqual({ countdown: 2 });
    expect(grants.slice(2)).toEqual(['refresh_token']);
  });
  expect(new Set(left)).toEqual(new Set([new URL(page.url()).origin]));
  await test.step('the answer of a login is taken once, and only by the page that asked', async () => {
    await page.goto(answers[0] ?? '');
    await inspector.ready();
    await expect(page.getByText('doesn’t match any login')).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
    await page.goto('./?code=stolen&state=redirect.made-up');
    await inspector.ready();
    expect(await inspector.state()).toMatchObject({ name: 'connected' });
    expect(grants.length).toBe(3);
  });
});

test(
  'a call with a 5-second token goes on through its end and a reload',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('oauth');
    await server.control('short-tokens');
    await connectLoggedIn(inspector, server.url);
    const grants = watchGrants(inspector.page.context());
    const id = await inspector.call('countdown', { ticks: 12, intervalMs: 500 });
    await inspector.untilReceived(id, 21);
    await inspector.reload();
    await inspector.expectWhole(id, 12);
    expect(new Set(grants)).toEqual(new Set(['refresh_token']));
  },
);

test('a stream that breaks when its token has ended is resumed with a new one', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const grants = watchGrants(inspector.page.context());
  const id = await inspector.call('countdown', { ticks: 20, intervalMs: 150 });
  await inspector.untilReceived(id, 2);
  await server.control('expire-tokens');
  await server.control('drop-streams');
  expect((await inspector.expectWhole(id, 20)).duplicates).toBe(0);
  expect(grants).toEqual(['refresh_token']);
});

test('two servers in two tabs that need a new token at once make one refresh', async ({
  inspector,
  target,
  watch,
}) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const other = await openTab(inspector.page.context(), watch);
  await other.connect(server.url, { name: 'the same, again' });
  await other.page.evaluate(() => window.reprise.tools());
  const grants = watchGrants(inspector.page.context());
  const refusals = watchRefusals(inspector.page.context());
  await untilListed(inspector);
  await server.control('expire-tokens');
  // Held, so that the second needs a token while the first is still waiting for one. Either tab may own the connection of
  // the second server.
  await server.control('hold-tokens');
  const calls = [inspector, other].map((tab) => tab.call('countdown', { ticks: 3, intervalMs: 20 }));
  await expect.poll(() => refusals.length).toBeGreaterThanOrEqual(2);
  await server.control('release-tokens');
  const [one, two] = await Promise.all(calls);
  await inspector.expectWhole(one ?? '', 3);
  await other.expectWhole(two ?? '', 3);
  expect(grants).toEqual(['refresh_token']);
});

test(
  'when only a login helps, an open call waits for it and then goes on',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('oauth');
    await connectLoggedIn(inspector, server.url);
    const { page } = inspector;
    const id = await inspector.call('countdown', { ticks: 10, intervalMs: 200 });
    await inspector.untilReceived(id, 4);
    await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'countdown' }).click();
    await page.getByLabel('ticks').fill('77');
    await server.control('revoke-tokens');
    await page.reload();
    await untilState(inspector, 'authorizing');
    expect((await inspector.callNamed(id)).settledAt).toBeUndefined();
    await page.reload();
    await untilState(inspector, 'authorizing');
    await logIn(inspector);
    await inspector.ready();
    await expect(page.getByLabel('ticks')).toHaveValue('77');
    await inspector.expectWhole(id, 10);
  },
);

test(
  'a tool that needs more rights asks for a login, over reloads, loses no right, and gives up after two',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('oauth');
    const { page } = inspector;
    await connectLoggedIn(inspector, server.url);
    const refused = await inspector.call('big', { bytes: 10 });
    await untilState(inspector, 'authorizing');
    expect(await inspector.callNamed(refused)).toMatchObject({
      name: 'settled',
      error: { message: expect.stringContaining('the tool didn’t run') },
    });
    await inspector.reload();
    expect(await inspector.state()).toMatchObject({ name: 'authorizing' });

    await test.step('somebody without the rights is asked twice, and no third time', async () => {
      await server.control('no-more-rights');
      await logIn(inspector);
      await untilState(inspector, 'connected');
      await inspector.call('big', { bytes: 10 });
      await untilState(inspector, 'authorizing');
      await logIn(inspector);
      await untilState(inspector, 'connected');
      const last = await inspector.untilEnded(await inspector.call('big', { bytes: 10 }));
      expect(last.error?.message).toContain('still requires more scopes (mcp:basic mcp:big) after 2 logins');
      expect(await inspector.state()).toMatchObject({ name: 'connected' });
    });
    await test.step('after a logout it is a new beginning, and reloads change nothing', async () => {
      await openSection(page, 'Auth');
      await page.getByRole('button', { name: 'Log out' }).click();
      await untilState(inspector, 'disconnected');
      await server.control('all-rights');
      await connectLoggedIn(inspector, server.url);
      await inspector.call('big', { bytes: 10 });
      await untilState(inspector, 'authorizing');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
      await page.reload();
      expect(new URL(page.url()).searchParams.get('scope')).toBe('mcp:basic mcp:big');
      await page.getByRole('button', { name: 'Approve', exact: true }).click();
      await untilState(inspector, 'connected');
      await inspector.reload();
      const allowed = await inspector.untilEnded(await inspector.call('big', { bytes: 10 }));
      expect(allowed).toMatchObject({ name: 'settled' });
      expect(allowed.error).toBeUndefined();
    });
  },
);

test(
  'logs in in a window beside the page, whatever is loaded again, and by redirect where it is blocked',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const openWindow = async () => {
      const opened = page.waitForEvent('popup');
      await page.getByRole('button', { name: 'Log in (popup)' }).click();
      const popup = await opened;
      await popup.getByRole('button', { name: 'Approve', exact: true }).waitFor();
      return popup;
    };
    const approve = (popup: Page) => popup.getByRole('button', { name: 'Approve', exact: true }).click();

    await test.step('the page stays as it is; the window may be loaded again, and closes', async () => {
      await askForLogin(inspector, (await target('oauth')).url);
      await page.evaluate(() => Object.assign(window, { here: true }));
      const popup = await openWindow();
      await popup.reload();
      const closed = popup.waitForEvent('close');
      await approve(popup);
      await closed;
      await untilState(inspector, 'connected');
      expect(await page.evaluate(() => 'here' in window)).toBe(true);
    });
    await test.step('the page may be loaded again while the window is open', async () => {
      await askForLogin(inspector, (await target('oauth')).url);
      const popup = await openWindow();
      await inspector.reload();
      await approve(popup);
      await untilState(inspector, 'connected');
      await popup.close();
    });
    await test.step('a window that is blocked becomes a redirect', async () => {
      await askForLogin(inspector, (await target('oauth')).url);
      await page.evaluate(() => {
        window.open = () => null;
      });
      await page.getByRole('button', { name: 'Log in (popup)' }).click();
      await approve(page);
      await untilState(inspector, 'connected');
      expect(new URL(page.url()).search).toBe('');
    });
  },
);

test(
  'reloads in the middle of every step of a login lose nothing but the time',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('oauth');
    const { page } = inspector;
    /** The first answer never comes: whoever waits for it can only go. */
    const hold = async (url: string, begin: () => Promise<unknown>) => {
      await new Promise<void>((resolve, reject) => {
        let isHeld = false;
        const takeFirst = (route: Route) => {
          if (isHeld) return route.fallback();
          isHeld = true;
          return resolve();
        };
        page.route(url, takeFirst).then(begin).catch(reject);
      });
    };
    await hold(server.url, async () => {
      void page.evaluate((u) => window.reprise.connect(u), server.url).catch(() => undefined);
    });
    // Each of these steps is begun by the reload in the one before it.
    for (const step of ['**/.well-known/oauth-protected-resource/**', '**/oauth-authorization-server']) {
      await test.step(step, () => hold(step, () => page.reload()));
    }
    await page.reload();
    await untilState(inspector, 'authorizing');
    await test.step('while the client is registered', async () => {
      await hold('**/oauth/register', () =>
        page.getByRole('button', { name: 'Log in', exact: true }).click(),
      );
      await page.reload();
    });
    await untilState(inspector, 'authorizing');
    await inspector.reload();
    expect(await inspector.state()).toMatchObject({ name: 'authorizing' });
    await test.step('at the login page: back, and in again', async () => {
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
      await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
      await page.reload();
      await page.goBack();
      await inspector.ready();
    });
    await test.step('while the code is exchanged: it is spent, so the login is asked for once more', async () => {
      await hold('**/oauth/token', () => logIn(inspector));
      await inspector.reloadAtOnce();
      expect(await inspector.state()).toMatchObject({ name: 'authorizing' });
    });
    await test.step('while the server is greeted with the new token', async () => {
      await hold(server.url, () => logIn(inspector));
      await page.reload();
      await untilState(inspector, 'connected');
    });
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  },
);

test(
  'finds the metadata of issuers with a path, by RFC 8414 and OpenID, and keeps tokens by issuer',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    for (const { shape, at } of [
      { shape: 'path-issuer', at: '/.well-known/oauth-authorization-server/tenant' },
      { shape: 'openid', at: '/tenant/.well-known/openid-configuration' },
    ]) {
      const server = await target('oauth');
      await server.control(shape);
      const found = page.waitForResponse(
        (response) => response.ok() && response.url() === server.origin + at,
      );
      await connectLoggedIn(inspector, server.url);
      await found;
      await untilListed(inspector);
      await server.control('expire-tokens');
      await inspector.reload();
      await untilState(inspector, 'connected');
      await openSection(page, 'Auth');
      await expect(page.getByRole('region', { name: 'Token' })).toContainText(`${server.origin}/tenant`);
    }
  },
);

/** How a client proves who it is at the token endpoint. */
async function secretOf(request: Request): Promise<string> {
  const inBody = new URLSearchParams(request.postData() ?? '').get('client_secret');
  const header = await request.headerValue('authorization');
  if (inBody !== null) return `post ${inBody}`;
  if (!header?.startsWith('Basic ')) return 'none';
  const [, encoded = ''] = atob(header.slice(6)).split(':');
  return `basic ${decodeURIComponent(encoded.replaceAll('+', ' '))}`;
}

test(
  'a client that was registered by hand shows its secret in the way that the server offers',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const registrations: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/oauth/register')) registrations.push(request.url());
    });
    await test.step('in a header, form-encoded, also when it refreshes after a reload', async () => {
      const server = await target('oauth');
      await server.control('odd-secrets');
      const { clientId, clientSecret } = await registerByHand(server, page.url(), 'client_secret_basic');
      await askForLogin(inspector, server.url, { clientId, clientSecret });
      await inspector.reload();
      const redeemed = page.waitForRequest('**/oauth/token');
      await logIn(inspector);
      expect(await secretOf(await redeemed)).toBe(`basic ${clientSecret}`);
      await untilState(inspector, 'connected');
      await untilListed(inspector);
      await server.control('expire-tokens');
      // The page or the worker refreshes it, depending on which is there.
      const refreshed = page
        .context()
        .waitForEvent('request', (request) => request.url().endsWith('/oauth/token'));
      await inspector.reload();
      expect(await secretOf(await refreshed)).toBe(`basic ${clientSecret}`);
      await untilState(inspector, 'connected');
      await openSection(page, 'Auth');
      const revoked = page.waitForRequest('**/oauth/revoke');
      await page.getByRole('button', { name: 'Log out' }).click();
      expect(await secretOf(await revoked)).toBe(`basic ${clientSecret}`);
      expect((await (await revoked).response())?.status()).toBe(200);
      expect(clientSecret).toContain(':+% ü&=');
      expect(registrations).toEqual([]);
    });
    await test.step('in the body; where nobody can register by themselves, the page asks for the client', async () => {
      const server = await target('oauth');
      const { clientId, clientSecret } = await registerByHand(server, page.url(), 'client_secret_post');
      await server.control('no-registration');
      await server.control('secret-post');
      await askForLogin(inspector, server.url);
      const asks = page.getByRole('region', { name: 'Login' });
      await expect(asks).toContainText('Register a client manually');
      await inspector.reload();
      await expect(asks).toContainText('Register a client manually');
      await page.getByText('Authorization and headers', { exact: true }).click();
      await page.getByLabel('OAuth client ID').fill(clientId);
      await page.getByLabel('OAuth client secret').fill(clientSecret);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const redeemed = page.waitForRequest('**/oauth/token');
      await logIn(inspector);
      expect(await secretOf(await redeemed)).toBe(`post ${clientSecret}`);
      await untilState(inspector, 'connected');
      expect(registrations).toEqual([]);
    });
    await test.step('a server that insists on secrets gives the page one', async () => {
      const server = await target('oauth');
      await server.control('secret-basic');
      await askForLogin(inspector, server.url);
      const redeemed = page.waitForRequest('**/oauth/token');
      await logIn(inspector);
      expect(await secretOf(await redeemed)).toMatch(/^basic \S+/);
      await untilState(inspector, 'connected');
      expect(registrations.length).toBe(1);
    });
  },
);

test(
  'a reload in the middle of a refresh costs nothing where the site has its worker',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('oauth');
    const { page } = inspector;
    // The worker comes with the demo, or a few seconds after the first visit.
    await inspector.connect(new URL('demo/mcp', page.url()).href);
    await connectLoggedIn(inspector, server.url);
    const grants = watchGrants(page.context());
    const id = await inspector.call('countdown', { ticks: 10, intervalMs: 200 });
    await inspector.untilReceived(id, 4);
    await server.control('expire-tokens');
    // The server has spent the old refresh token, and the page goes before it hears of it.
    await server.control('hold-tokens');
    const asked = page.context().waitForEvent('request', (request) => request.url().endsWith('/oauth/token'));
    void page
      .evaluate(() => window.reprise.call('countdown', { ticks: 1, intervalMs: 1 }))
      .catch(() => undefined);
    await asked;
    await page.reload();
    await server.control('release-tokens');
    await inspector.ready();
    await untilState(inspector, 'connected');
    await inspector.expectWhole(id, 10);
    expect(grants).toEqual(['refresh_token']);
  },
);

test(
  'the panel shows each step, the token and its claims, and ends a login',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('oauth');
    const { page } = inspector;
    await server.control('jwt-tokens');
    await connectLoggedIn(inspector, server.url);
    await openSection(page, 'Auth');
    const steps = page.getByRole('list', { name: 'Authorization steps' });
    for (const title of [
      'Authorization required',
      'Protected resource metadata',
      'Authorization server metadata',
      'Client registration',
      'Login',
      'Token',
      'Callback',
    ]) {
      await expect(steps.getByText(title, { exact: true }).first()).toBeVisible();
    }
    expect((await inspector.entries('kind:auth')).length).toBeGreaterThanOrEqual(7);
    const token = page.getByRole('region', { name: 'Token' });
    for (const text of [server.origin, 'mcp:basic', '"sub": "someone"', `"aud": "${server.url}"`]) {
      await expect(token).toContainText(text);
    }
    const grants = watchGrants(page.context());
    await token.getByRole('button', { name: 'Refresh' }).click();
    await expect.poll(() => grants).toEqual(['refresh_token']);
    await token.getByRole('button', { name: 'Mark as expired' }).click();
    await expect(token).toContainText('expired');
    const refusals = watchRefusals(page.context());
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
    expect(refusals, 'it is renewed before the server has to refuse it').toEqual([]);
    expect(grants).toEqual(['refresh_token', 'refresh_token']);
    const revoked = page.waitForResponse('**/oauth/revoke');
    await token.getByRole('button', { name: 'Log out' }).click();
    expect((await revoked).status()).toBe(200);
    await untilState(inspector, 'disconnected');
    await test.step('a reload while the server is told: this page has let go of the token', async () => {
      await connectLoggedIn(inspector, server.url);
      await openSection(page, 'Auth');
      const told = new Promise<void>((held) => {
        void page.route('**/oauth/revoke', () => held());
      });
      await token.getByRole('button', { name: 'Log out' }).click();
      await told;
      await page.reload();
      await inspector.ready();
      await askForLogin(inspector, server.url);
    });
  },
);

test(
  'a login that is kept for one tab reaches the owner tab, outlives a reload, and isn’t stored in the browser',
  { tag: '@long' },
  async ({ inspector, target, context, watch }) => {
    const server = await target('oauth');
    await inspector.page.evaluate((url) => window.reprise.connect(url, { keepSecrets: 'tab' }), server.url);
    await untilState(inspector, 'authorizing');
    const other = await openTab(context, watch);
    await logIn(other);
    await untilState(inspector, 'connected');
    await inspector.reload();
    await untilState(inspector, 'connected');
    expect(await storedKeys(inspector.page, 'oauth/.*/(tokens|client/.*|login|carried)$')).toEqual([]);
    expect(await storedKeys(inspector.page, 'oauth/.*/discovery$')).toHaveLength(1);

    // A tab that never logged in has to.
    const third = await openTab(context, watch);
    await Promise.all([inspector.page.close(), other.page.close()]);
    await untilState(third, 'authorizing');
  },
);
