// A server that means harm: no script runs, no token leaves for another origin. Each attempt is listed with its outcome.
import { HostileServer, QUESTION_TOOLS, RESOURCE_TYPES, SCRIPT, type Attack } from './hostileServer.ts';
import { expect, test as base, type Inspector } from './inspector.ts';
import { openSection, pick, resource } from './sections.ts';
import { showLog } from './timelinePage.ts';

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
  const asked = new Set<string>();
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) asked.add(new URL(request.url()).hostname);
  });
  await inspector.connect(hostile.url);
  const look = async (what: string) => {
    expect(await isHarmed(inspector), what).toBe(false);
    expect(await badLinks(inspector), what).toEqual([]);
    outcomes.push(`${what}: shown as text`);
  };
  await expect(page.getByRole('list', { name: 'Tools' })).toContainText('harm');
  await look('server info, instructions, tool names, descriptions, schemas and icons');
  await inspector.untilEnded(await inspector.call('harm', { field: SCRIPT }));
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('window.harmed=1');
  await look('results: text, Markdown, HTML and SVG resources, SVG images, links of every scheme');
  for (const type of RESOURCE_TYPES) {
    await openSection(page, 'Resources');
    await pick(page, 'Resources', type.replace('+', '.'));
    await expect(resource(page)).toContainText(/window.harmed|link|picture/);
    await look(`a resource of ${type}`);
  }
  await openSection(page, 'Prompts');
  await pick(page, 'Prompts', 'a prompt');
  await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('window.harmed=1');
  await look('prompts and their messages');
  await openSection(page, 'Logs');
  await expect(page.getByRole('list', { name: 'Log messages' })).toContainText('window.harmed=1');
  await look('log messages');
  await openSection(page, 'Info');
  await look('what the server says of itself');
  for (const tool of QUESTION_TOOLS) await inspector.call(tool);
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await expect(inbox.getByRole('group', { name: 'URL to open' })).toContainText('Only http and https');
  await expect(inbox.getByRole('button', { name: 'Accept and open' })).toHaveCount(0);
  await expect(inbox).toContainText('window.harmed=1');
  await look('questions: a form, an address to open, a request for a model');
  const broken = await page.evaluate(() =>
    window.reprise.connect('http://127.0.0.1:1/').then(({ name }) => name),
  );
  expect(broken).toBe('failed');
  hostile.asksForLogin = true;
  await page.evaluate((url) => window.reprise.connect(url, { name: 'behind a login' }), hostile.url);
  await openSection(page, 'Auth');
  await look('challenges, authorization metadata and error texts');
  await inspector.reload();
  await look('all of it after a reload');
  await showLog(page);
  const entries = page.getByRole('listbox', { name: 'Entries' }).getByRole('option');
  for (const row of (await entries.all()).slice(-12)) await row.click();
  await look('every entry of the timeline');
  expect(asked, 'nobody else is asked for anything').toEqual(new Set(['localhost', '127.0.0.1']));
});

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
    says: /authorization_endpoint/,
  },
  {
    what: 'a login page at a data: address',
    attack: () => ({ issuer: { authorization_endpoint: 'data:text/html,<script>1</script>' } }),
    says: /authorization_endpoint/,
  },
  {
    what: 'a token endpoint at a javascript: address',
    attack: () => ({ issuer: { token_endpoint: 'javascript:window.harmed=1' } }),
    says: /token_endpoint/,
  },
  {
    what: 'a registration endpoint at a file: address',
    attack: () => ({ issuer: { registration_endpoint: 'file:///etc/passwd' } }),
    says: /uses “file:”/,
  },
  {
    what: 'documentation at a javascript: address',
    attack: () => ({ issuer: { service_documentation: 'javascript:window.harmed=1' } }),
    says: /service_documentation/,
  },
  {
    what: 'metadata of another issuer',
    attack: ({ elsewhere }) => ({ issuer: { issuer: elsewhere } }),
    says: /Invalid authorization metadata \(.*issuer/i,
  },
  {
    what: 'metadata for another resource',
    attack: ({ elsewhere }) => ({ resource: { resource: `${elsewhere}/mcp` } }),
    says: /The metadata is for .*, not http/,
  },
  // Metadata that cannot be used is passed over: the server's own address is looked at, as the standard asks.
  {
    what: 'an authorization server at a javascript: address',
    attack: () => ({ resource: { authorization_servers: ['javascript:window.harmed=1'] } }),
    says: /requires a login/,
  },
  {
    what: 'resource metadata at a javascript: address',
    attack: () => ({ challenge: 'Bearer resource_metadata="javascript:window.harmed=1"' }),
    says: /requires a login/,
  },
  {
    what: 'an answer with the iss of another server',
    attack: ({ elsewhere }) => ({ callback: { iss: elsewhere } }),
    logsIn: true,
    says: /Login failed/,
  },
  {
    what: 'an answer without the iss that was promised',
    attack: () => ({ callback: { iss: null } }),
    logsIn: true,
    says: /Login failed/,
  },
  {
    what: 'an answer with another state',
    attack: () => ({ callback: { state: 'redirect.another' } }),
    logsIn: true,
    says: /doesn’t match any login/,
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
    says: /Login failed/,
  },
  {
    what: 'an MCP endpoint that redirects a token elsewhere',
    attack: ({ elsewhere }) => ({ redirectMcp: `${elsewhere}/mcp` }),
    logsIn: true,
    says: /redirects to another URL/,
  },
];

for (const when of ['before', 'in'] as const) {
  test(
    `refuses what leads astray ${when} a login`,
    { tag: '@long' },
    async ({ inspector, elsewhere, outcomes }) => {
      test.setTimeout(120_000);
      const { page } = inspector;
      const wanted = ATTEMPTS.filter(({ logsIn }) => logsIn === (when === 'in' ? true : undefined));
      for (const { what, attack, says } of wanted) {
        await test.step(what, async () => {
          const hostile = await new HostileServer().start();
          hostile.asksForLogin = true;
          hostile.attack = attack({ self: hostile.origin, elsewhere: elsewhere.origin });
          await page.evaluate((url) => window.reprise.connect(url), hostile.url);
          if (when === 'in') await logIn(inspector);
          await expect
            .soft(async () => {
              const shown = await page.locator('body').innerText();
              expect(`${JSON.stringify(await inspector.state())} ${shown}`, what).toMatch(says);
            })
            .toPass({ timeout: 15_000 });
          expect.soft(await isHarmed(inspector), what).toBe(false);
          expect.soft(elsewhere.seen, `${what}: requests that reached another origin`).toEqual([]);
          expect.soft(new URL(page.url()).search, what).toBe('');
          const isRedeemed = hostile.seen.some(({ path }) => path === '/token');
          if (/iss|state|error/.test(what)) expect.soft(isRedeemed, what).toBe(false);
          outcomes.push(`${what}: refused, nothing left for elsewhere`);
          await hostile.close();
        });
      }
    },
  );
}

test(
  'a server that names another issuer after a login gets nothing of the first there',
  { tag: '@long' },
  async ({ inspector, hostile, elsewhere, outcomes }) => {
    const { page } = inspector;
    hostile.asksForLogin = true;
    await page.evaluate((url) => window.reprise.connect(url), hostile.url);
    await logIn(inspector);
    // Without an attack, the same server is logged in to.
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
    outcomes.push(
      'another issuer after a login: a registration and a login of its own, no token of the first',
    );
  },
);

test('a link to the app with a server in it connects to nothing', async ({
  inspector,
  hostile,
  outcomes,
}) => {
  const { page } = inspector;
  for (const query of ['url', 'server']) {
    // Silence is what is to be shown, so it is waited for.
    await page.goto(`./?${query}=${encodeURIComponent(hostile.url)}`, { waitUntil: 'networkidle' });
    await inspector.ready();
    expect(hostile.seen).toEqual([]);
  }
  await expect(page.getByText('wants to connect to')).toContainText(hostile.url);
  outcomes.push('a link with a server in it: nothing was sent');
});
