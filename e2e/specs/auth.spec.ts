// OAuth in the page, against the `oauth` target: every way in, with reloads where they hurt.
import { expect, openTab, test } from './inspector.ts';
import { askForLogin, connectLoggedIn, logIn, registerByHand, untilState, watchGrants } from './loggedIn.ts';

test('waits for a click, logs in by redirect, and is where it was', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await askForLogin(inspector, server.url);
  expect(new URL(page.url()).host).not.toBe(new URL(server.url).host);
  await expect(page.getByRole('status').first()).toContainText('The server asks for a login.');
  await logIn(inspector);
  await untilState(inspector, 'connected');
  expect(new URL(page.url()).search).toBe('');
  const id = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
  await inspector.expectWhole(id, 3);
});

test('a login that is denied says what the server said, and can be tried again', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  await askForLogin(inspector, server.url);
  await logIn(inspector, 'Deny');
  await untilState(inspector, 'authorizing');
  await expect(inspector.page.getByRole('region', { name: 'Login' })).toContainText('access_denied');
  expect(new URL(inspector.page.url()).search).toBe('');
  await logIn(inspector);
  await untilState(inspector, 'connected');
});

test('a reload with a valid token never leaves the page', async ({ inspector, target }) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const left: string[] = [];
  inspector.page.on('framenavigated', (frame) => left.push(new URL(frame.url()).origin));
  const grants = watchGrants(inspector.page.context());
  await inspector.reload();
  await untilState(inspector, 'connected');
  expect(new Set(left)).toEqual(new Set([new URL(inspector.page.url()).origin]));
  expect(grants).toEqual([]);
});

test('an expired token is refreshed after a reload, without leaving the page', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  await server.control('expire-tokens');
  const grants = watchGrants(inspector.page.context());
  await inspector.reload();
  await untilState(inspector, 'connected');
  expect(grants).toEqual(['refresh_token']);
});

test('a call with a 5-second token goes on through its end and a reload', async ({ inspector, target }) => {
  const server = await target('oauth');
  await server.control('short-tokens');
  await connectLoggedIn(inspector, server.url);
  const id = await inspector.call('countdown', { ticks: 16, intervalMs: 500 });
  await inspector.untilReceived(id, 22);
  await inspector.reload();
  await inspector.expectWhole(id, 16);
});

test('a token that ends between two calls is refreshed, and the call is sent once', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const grants = watchGrants(inspector.page.context());
  await server.control('expire-tokens');
  const id = await inspector.call('countdown', { ticks: 3, intervalMs: 20 });
  await inspector.expectWhole(id, 3);
  expect(server.stats().calls).toEqual({ countdown: 1 });
  expect(grants).toEqual(['refresh_token']);
});

test('two tabs that need a new token at once make one refresh', async ({ inspector, target, watch }) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const other = await openTab(inspector.page.context(), watch);
  await other.connect(server.url, { name: 'the same, again' });
  await other.page.evaluate(() => window.reprise.tools());
  const grants = watchGrants(inspector.page.context());
  await server.control('expire-tokens');
  const [one, two] = await Promise.all(
    [inspector, other].map((tab) => tab.call('countdown', { ticks: 3, intervalMs: 20 })),
  );
  await inspector.expectWhole(one ?? '', 3);
  await other.expectWhole(two ?? '', 3);
  expect(grants).toEqual(['refresh_token']);
});

test('when only a login helps, an open call waits for it and then goes on', async ({ inspector, target }) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const { page } = inspector;
  const id = await inspector.call('countdown', { ticks: 20, intervalMs: 200 });
  await inspector.untilReceived(id, 4);
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'countdown' }).click();
  await page.getByLabel('ticks').fill('77');
  await server.control('revoke-tokens');
  await inspector.page.reload();
  await untilState(inspector, 'authorizing');
  expect((await inspector.callNamed(id)).settledAt).toBeUndefined();
  await inspector.page.reload();
  await untilState(inspector, 'authorizing');
  await logIn(inspector);
  await inspector.ready();
  await expect(page.getByLabel('ticks')).toHaveValue('77');
  await inspector.expectWhole(id, 20);
});

test('a tool that needs more rights is asked for with a login, and no right is lost', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  await connectLoggedIn(inspector, server.url);
  const refused = await inspector.call('big', { bytes: 10 });
  await untilState(inspector, 'authorizing');
  expect(await inspector.callNamed(refused)).toMatchObject({
    name: 'settled',
    error: { message: expect.stringContaining('it was not run') },
  });
  const asked = inspector.page.waitForURL(/oauth\/authorize/);
  await inspector.page.getByRole('button', { name: 'Log in', exact: true }).click();
  await asked;
  expect(new URL(inspector.page.url()).searchParams.get('scope')).toBe('mcp:basic mcp:big');
  await inspector.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await untilState(inspector, 'connected');
  const allowed = await inspector.untilEnded(await inspector.call('big', { bytes: 10 }));
  expect(allowed).toMatchObject({ name: 'settled' });
  expect(allowed.error).toBeUndefined();
});

test('logs in in a window beside the page, which stays as it is', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await askForLogin(inspector, server.url);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Log in in a new window' }).click();
  const popup = await opened;
  const closed = popup.waitForEvent('close');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await closed;
  await untilState(inspector, 'connected');
});

test('a window that is blocked becomes a redirect', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await askForLogin(inspector, server.url);
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByRole('button', { name: 'Log in in a new window' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await untilState(inspector, 'connected');
  expect(new URL(page.url()).search).toBe('');
});

test('the page may be loaded again while the login window is open', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await askForLogin(inspector, server.url);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Log in in a new window' }).click();
  const popup = await opened;
  await popup.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await inspector.reload();
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await untilState(inspector, 'connected');
});

test('the answer of a login is taken once, and only by the page that asked', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  const { page } = inspector;
  const grants = watchGrants(page.context());
  await askForLogin(inspector, server.url);
  const answers: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('code=')) answers.push(request.url());
  });
  await logIn(inspector);
  await untilState(inspector, 'connected');
  expect(grants).toEqual(['authorization_code']);
  await page.goto(answers[0] ?? '');
  await inspector.ready();
  await expect(page.getByText('not begun here, or that was finished before')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await page.goto('./?code=stolen&state=redirect.made-up');
  await inspector.ready();
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
  expect(grants).toEqual(['authorization_code']);
});

test('reloads in the middle of every step of a login change nothing', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await askForLogin(inspector, server.url);
  await inspector.reload();
  expect(await inspector.state()).toMatchObject({ name: 'authorizing' });
  // At the login page: back, and in again.
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await page.reload();
  await page.goBack();
  await inspector.ready();
  // While the code is exchanged: it is spent, so the login is asked for once more.
  await page.route('**/oauth/token', () => undefined);
  const exchanging = page.waitForRequest('**/oauth/token');
  await logIn(inspector);
  await exchanging;
  await page.reload();
  await page.unroute('**/oauth/token');
  await inspector.ready();
  expect(await inspector.state()).toMatchObject({ name: 'authorizing' });
  await logIn(inspector);
  await untilState(inspector, 'connected');
  await inspector.reload();
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
});

for (const { step, url } of [
  { step: 'the resource metadata', url: '**/.well-known/oauth-protected-resource/**' },
  { step: "the authorization server's metadata", url: '**/oauth-authorization-server' },
  { step: 'a registration', url: '**/oauth/register' },
]) {
  test(`a reload while ${step} is asked for loses nothing but the time`, async ({ inspector, target }) => {
    const server = await target('oauth');
    const { page } = inspector;
    // An answer that never comes: the page is loaded again while it waits.
    await page.route(url, () => undefined);
    const asked = page.waitForRequest(url);
    void page.evaluate((u) => window.reprise.connect(u), server.url).catch(() => undefined);
    await asked;
    await page.unroute(url);
    await page.reload();
    await untilState(inspector, 'authorizing');
    await logIn(inspector);
    await untilState(inspector, 'connected');
    await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  });
}

test('reloads in the middle of a step-up change nothing', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await connectLoggedIn(inspector, server.url);
  await inspector.call('big', { bytes: 10 });
  await untilState(inspector, 'authorizing');
  await inspector.stored();
  await inspector.reload();
  expect(await inspector.state()).toMatchObject({ name: 'authorizing' });
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await page.reload();
  expect(new URL(page.url()).searchParams.get('scope')).toBe('mcp:basic mcp:big');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await untilState(inspector, 'connected');
  await inspector.reload();
  const allowed = await inspector.untilEnded(await inspector.call('big', { bytes: 10 }));
  expect(allowed.error).toBeUndefined();
});

for (const { shape, at } of [
  { shape: 'path-issuer', at: '/.well-known/oauth-authorization-server/tenant' },
  { shape: 'openid', at: '/tenant/.well-known/openid-configuration' },
]) {
  test(`${shape}: finds the metadata of an issuer with a path, and keeps its tokens by that issuer`, async ({
    inspector,
    target,
  }) => {
    const server = await target('oauth');
    await server.control(shape);
    const found: string[] = [];
    inspector.page.on('response', (response) => {
      if (response.ok() && response.url().includes('.well-known'))
        found.push(new URL(response.url()).pathname);
    });
    await connectLoggedIn(inspector, server.url);
    expect(found).toContain(at);
    await server.control('expire-tokens');
    await inspector.reload();
    await untilState(inspector, 'connected');
    await inspector.page.getByRole('button', { name: 'Auth', exact: true }).click();
    await expect(inspector.page.getByRole('region', { name: 'Token' })).toContainText(
      `${server.origin}/tenant`,
    );
  });
}

test('where nobody can register by themselves, the page asks for a client id, and takes what is typed', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  const { page } = inspector;
  const { clientId, clientSecret } = await registerByHand(server, page.url(), 'client_secret_post');
  await server.control('no-registration');
  await server.control('secret-post');
  await askForLogin(inspector, server.url);
  await expect(page.getByRole('region', { name: 'Login' })).toContainText('Register a client there by hand');
  await inspector.reload();
  await expect(page.getByRole('region', { name: 'Login' })).toContainText('Register a client there by hand');
  await page.getByText('Authorization and headers', { exact: true }).click();
  await page.getByLabel('OAuth client id').fill(clientId);
  await page.getByLabel('OAuth client secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const redeemed = page.waitForRequest('**/oauth/token');
  await logIn(inspector);
  // The only way to show a secret that this server offers (`token_endpoint_auth_methods_supported`).
  const request = await redeemed;
  expect(new URLSearchParams(request.postData() ?? '').get('client_secret')).toBe(clientSecret);
  expect(await request.headerValue('authorization')).toBeNull();
  await untilState(inspector, 'connected');
});

test('a reload in the middle of a refresh may cost a login, and nothing else', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  const { page } = inspector;
  await connectLoggedIn(inspector, server.url);
  const id = await inspector.call('countdown', { ticks: 30, intervalMs: 200 });
  await inspector.untilReceived(id, 4);
  await server.control('expire-tokens');
  // The server has answered, and spent the old refresh token; the page never hears of it.
  const answered = page.waitForRequest('**/oauth/token');
  await page.route('**/oauth/token', async (route) => {
    await route.fetch();
    await page.reload();
  });
  const reloaded = page.waitForEvent('load');
  void page.evaluate(() => window.reprise.tools()).catch(() => undefined);
  await answered;
  await reloaded;
  await page.unroute('**/oauth/token');
  await untilState(inspector, 'authorizing');
  await logIn(inspector);
  await inspector.ready();
  await inspector.expectWhole(id, 30);
});

test('a client that was registered by hand is used, secret and all, and kept across reloads', async ({
  inspector,
  target,
}) => {
  const server = await target('oauth');
  const { page } = inspector;
  const { clientId, clientSecret } = await registerByHand(server, page.url(), 'client_secret_basic');
  const registrations: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth/register')) registrations.push(request.url());
  });
  await askForLogin(inspector, server.url, { clientId, clientSecret });
  await inspector.reload();
  await logIn(inspector);
  await untilState(inspector, 'connected');
  await page.evaluate(() => window.reprise.tools());
  await server.control('expire-tokens');
  await inspector.reload();
  await untilState(inspector, 'connected');
  expect(registrations).toEqual([]);
});

test('the panel shows what a token says about itself', async ({ inspector, target }) => {
  const server = await target('oauth');
  await server.control('jwt-tokens');
  await connectLoggedIn(inspector, server.url);
  await inspector.page.getByRole('button', { name: 'Auth', exact: true }).click();
  const token = inspector.page.getByRole('region', { name: 'Token' });
  await expect(token).toContainText('"sub": "someone"');
  await expect(token).toContainText(`"aud": "${server.url}"`);
});

test('the panel shows each step, what was wrong with it, and ends a login', async ({ inspector, target }) => {
  const server = await target('oauth');
  const { page } = inspector;
  await connectLoggedIn(inspector, server.url);
  await page.getByRole('button', { name: 'Auth', exact: true }).click();
  const steps = page.getByRole('list', { name: 'Authorization steps' });
  for (const title of [
    'The server asks for authorization',
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
  await expect(token).toContainText(server.origin);
  await expect(token).toContainText('mcp:basic');
  const grants = watchGrants(page.context());
  await token.getByRole('button', { name: 'Expire here' }).click();
  await expect(token).toContainText('it has ended');
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  expect(grants).toEqual(['refresh_token']);
  const revoked = page.waitForResponse('**/oauth/revoke');
  await token.getByRole('button', { name: 'Log out' }).click();
  expect((await revoked).status()).toBe(200);
  await untilState(inspector, 'disconnected');
  await askForLogin(inspector, server.url);
});
