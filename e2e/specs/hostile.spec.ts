// A server that means harm: no script runs, no token leaves for another origin. Each attempt is listed with its outcome.
import { HostileServer, QUESTION_TOOLS, SCRIPT, type Attack } from './hostileServer.ts';
import { expect, test as base, type Inspector } from './inspector.ts';

const test = base.extend<{ hostile: HostileServer; elsewhere: HostileServer; outcomes: string[] }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  hostile: async ({}, use) => {
    const server = await new HostileServer().start();
    await use(server);
    await server.close();
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  elsewhere: async ({}, use) => {
    const server = await new HostileServer().start();
    await use(server);
    await server.close();
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  outcomes: async ({}, use, info) => {
    const lines: string[] = [];
    await use(lines);
    await info.attach('attempts', { body: lines.join('\n'), contentType: 'text/plain' });
    console.log(lines.map((line) => `    ${line}`).join('\n'));
  },
});

const isHarmed = ({ page }: Inspector) => page.evaluate(() => 'harmed' in window);

/** Nothing that a server named may be followed from this page, unless it leads to the web. */
const badLinks = ({ page }: Inspector) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[href], [src], [action]')]
      .flatMap((element) => ['href', 'src', 'action'].map((name) => element.getAttribute(name) ?? ''))
      .filter((value) => /^\s*(javascript|vbscript|file|blob|data:text)/i.test(value)),
  );

test('script in every string that a server can send stays text', async ({ inspector, hostile, outcomes }) => {
  const { page } = inspector;
  await inspector.connect(hostile.url);
  const look = async (what: string) => {
    expect(await isHarmed(inspector), what).toBe(false);
    expect(await badLinks(inspector), what).toEqual([]);
    outcomes.push(`${what}: shown as text`);
  };
  await expect(page.getByRole('list', { name: 'Tools' })).toContainText('harm');
  await look('server info, instructions, tool names, descriptions, schemas and icons');
  const id = await inspector.call('harm', { field: SCRIPT });
  await inspector.untilEnded(id);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('window.harmed=1');
  await look('results: text, HTML and SVG resources, SVG images, links');
  const broken = await page.evaluate(() =>
    window.reprise.connect('http://127.0.0.1:1/').then(({ name }) => name),
  );
  expect(broken).toBe('failed');
  hostile.asksForLogin = true;
  await page.evaluate((url) => window.reprise.connect(url, { name: 'behind a login' }), hostile.url);
  await page.getByRole('button', { name: 'Auth', exact: true }).click();
  await look('challenges, authorization metadata and error texts');
  await inspector.reload();
  await look('all of it after a reload');
  for (const row of (await page.getByRole('listbox', { name: 'Entries' }).getByRole('option').all()).slice(
    -12,
  )) {
    await row.click();
  }
  await look('every entry of the timeline');
});

for (const tool of QUESTION_TOOLS) {
  test(`script in a question stays text: ${tool}`, async ({ inspector, hostile, outcomes }) => {
    const { page } = inspector;
    await inspector.connect(hostile.url);
    await inspector.call(tool);
    const inbox = page.getByRole('region', { name: 'Inbox' });
    await expect(inbox).toContainText('window.harmed=1');
    expect(await isHarmed(inspector)).toBe(false);
    expect(await badLinks(inspector)).toEqual([]);
    outcomes.push(`${tool}: shown as text`);
  });
}

/** The authorization endpoint asks nobody, and sends the browser back at once. */
async function logIn(inspector: Inspector): Promise<void> {
  const back = inspector.page.waitForEvent('load');
  await inspector.page.getByRole('button', { name: 'Log in', exact: true }).click({ timeout: 15_000 });
  await back;
  await inspector.ready();
}

interface Attempt {
  readonly what: string;
  readonly attack: (origins: { self: string; elsewhere: string }) => Attack;
  /** What the page says. */
  readonly says: RegExp;
  /** Does it come to a login at all? */
  readonly logsIn?: true;
}

const ATTEMPTS: readonly Attempt[] = [
  {
    what: 'a login page at a javascript: address',
    attack: () => ({ issuer: { authorization_endpoint: 'javascript:window.harmed=1' } }),
    says: /could not connect/i,
  },
  {
    what: 'a login page at a data: address',
    attack: () => ({ issuer: { authorization_endpoint: 'data:text/html,<script>1</script>' } }),
    says: /could not connect/i,
  },
  {
    what: 'a token endpoint at a javascript: address',
    attack: () => ({ issuer: { token_endpoint: 'javascript:window.harmed=1' } }),
    says: /could not connect/i,
  },
  {
    what: 'a registration endpoint at a file: address',
    attack: () => ({ issuer: { registration_endpoint: 'file:///etc/passwd' } }),
    says: /could not connect|client id/i,
  },
  {
    what: 'documentation at a javascript: address',
    attack: () => ({ issuer: { service_documentation: 'javascript:window.harmed=1' } }),
    says: /could not connect/i,
  },
  {
    what: 'metadata of another issuer',
    attack: ({ elsewhere }) => ({ issuer: { issuer: elsewhere } }),
    says: /could not connect/i,
  },
  {
    what: 'metadata for another resource',
    attack: ({ elsewhere }) => ({ resource: { resource: `${elsewhere}/mcp` } }),
    says: /could not connect/i,
  },
  {
    what: 'an authorization server at a javascript: address',
    attack: () => ({ resource: { authorization_servers: ['javascript:window.harmed=1'] } }),
    says: /could not connect|asks for a login/i,
  },
  {
    what: 'resource metadata at a javascript: address',
    attack: () => ({ challenge: 'Bearer resource_metadata="javascript:window.harmed=1"' }),
    says: /could not connect|asks for a login/i,
  },
  {
    what: 'an answer with the iss of another server',
    attack: ({ elsewhere }) => ({ callback: { iss: elsewhere } }),
    logsIn: true,
    says: /did not succeed/,
  },
  {
    what: 'an answer without the iss that was promised',
    attack: () => ({ callback: { iss: null } }),
    logsIn: true,
    says: /did not succeed/,
  },
  {
    what: 'an answer with another state',
    attack: () => ({ callback: { state: 'redirect.another' } }),
    logsIn: true,
    says: /not begun here/,
  },
  {
    what: 'an error with script in its words',
    attack: () => ({ callback: { code: null, error: 'access_denied', error_description: SCRIPT } }),
    logsIn: true,
    says: /access_denied.*window\.harmed=1/,
  },
  {
    what: 'a token endpoint that redirects elsewhere',
    attack: ({ elsewhere }) => ({ redirectToken: `${elsewhere}/token` }),
    logsIn: true,
    says: /did not succeed/,
  },
  {
    what: 'an MCP endpoint that redirects a token elsewhere',
    attack: ({ elsewhere }) => ({ redirectMcp: `${elsewhere}/mcp` }),
    logsIn: true,
    says: /redirects to another address/,
  },
];

test('without an attack, the same server is logged in to', async ({ inspector, hostile }) => {
  hostile.asksForLogin = true;
  await inspector.page.evaluate((url) => window.reprise.connect(url), hostile.url);
  await logIn(inspector);
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
});

for (const { what, attack, says, logsIn } of ATTEMPTS) {
  test(`refuses ${what}`, async ({ inspector, hostile, elsewhere, outcomes }) => {
    const { page } = inspector;
    hostile.asksForLogin = true;
    hostile.attack = attack({ self: hostile.origin, elsewhere: elsewhere.origin });
    await page.evaluate((url) => window.reprise.connect(url), hostile.url);
    if (logsIn) await logIn(inspector);
    const shown = page.locator('body');
    await expect(shown).toContainText(says);
    expect(await isHarmed(inspector)).toBe(false);
    expect(elsewhere.seen, 'requests that reached another origin').toEqual([]);
    expect(new URL(page.url()).search).toBe('');
    if (/iss|state|error/.test(what)) expect(hostile.seen.some(({ path }) => path === '/token')).toBe(false);
    outcomes.push(`${what}: refused, nothing left for elsewhere`);
  });
}

test('a server that names another issuer after a login gets nothing of the first there', async ({
  inspector,
  hostile,
  elsewhere,
  outcomes,
}) => {
  const { page } = inspector;
  hostile.asksForLogin = true;
  await page.evaluate((url) => window.reprise.connect(url), hostile.url);
  await logIn(inspector);
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
  hostile.attack = { refusesTokens: true, resource: { authorization_servers: [elsewhere.origin] } };
  await inspector.call('harm');
  await page.waitForFunction(() => window.reprise.state().name === 'authorizing');
  await page.reload();
  await inspector.ready();
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect.poll(() => elsewhere.seen.some(({ path }) => path === '/authorize')).toBe(true);
  await inspector.ready();
  const sent = JSON.stringify(elsewhere.seen);
  for (const token of Object.values(hostile.tokens)) expect(sent).not.toContain(token);
  // It is a client of its own there, and the login there is one of its own.
  expect(elsewhere.seen.some(({ path }) => path === '/register')).toBe(true);
  outcomes.push('another issuer after a login: a registration and a login of its own, no token of the first');
});

test('a link to the app with a server in it connects to nothing', async ({
  inspector,
  hostile,
  outcomes,
}) => {
  for (const query of ['url', 'server', 'serverUrl', 'connect']) {
    await inspector.page.goto(`./?${query}=${encodeURIComponent(hostile.url)}`);
    await inspector.ready();
  }
  expect(hostile.seen).toEqual([]);
  outcomes.push('a link with a server in it: nothing was sent');
});
