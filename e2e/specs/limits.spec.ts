// What a server can make endless or huge: the page goes on, and says what it left out.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { HostileServer } from './hostileServer.ts';
import { expect, Inspector } from './inspector.ts';
import { test as base } from './oddServer.ts';
import { openSection, pick } from './sections.ts';
import { showLog, timelineOf } from './timelinePage.ts';

/** Backtracks for hours: each letter more doubles the time. */
const ENDLESS = '^(a+)+$';
const TEXT = `${'a'.repeat(33)}!`;
/** A page that is busy for longer does not count as answering. What is tested here would take minutes. */
const ANSWERS_MS = 20_000;

interface Fixtures {
  /** A server whose tools answer with a few bytes that become 40 MB; one of them asks, and its answers are kept. */
  bombs: { url: string; answers: readonly string[] };
  hostile: HostileServer;
}

/** By the name of the tool: the head of its answer. */
const BOMBS: Readonly<Record<string, { status: number; type: string }>> = {
  json: { status: 200, type: 'application/json' },
  error: { status: 500, type: 'application/json' },
  page: { status: 200, type: 'text/html' },
};
const UNPACKED_BYTES = 40_000_000;

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  bombs: async ({}, use) => {
    const result = (id: string) =>
      `{"jsonrpc":"2.0","id":"${id}","result":{"content":[{"type":"text","text":"${'x'.repeat(UNPACKED_BYTES)}"}]}}`;
    const answers: string[] = [];
    const server = createServer((request, response) => {
      for (const name of ['origin', 'headers']) response.setHeader(`access-control-allow-${name}`, '*');
      if (request.method !== 'POST')
        return void response.writeHead(request.method === 'GET' ? 405 : 204).end();
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(body) as {
          id?: string;
          method?: string;
          params?: { name?: string };
        };
        if (method === undefined) answers.push(body);
        if (id === undefined || method === undefined) return void response.writeHead(202).end();
        if (params?.name === 'ask') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          return void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 'q', ...QUESTION })}\n\n`);
        }
        const bomb = method === 'tools/call' ? BOMBS[params?.name ?? ''] : undefined;
        if (bomb) {
          response.writeHead(bomb.status, { 'content-type': bomb.type, 'content-encoding': 'gzip' });
          return void response.end(gzipSync(result(id)));
        }
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: HANDSHAKES[method] ?? {} }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, answers });
    server.closeAllConnections();
    server.close();
  },

  // eslint-disable-next-line no-empty-pattern -- as above
  hostile: async ({}, use) => {
    const server = await new HostileServer().start();
    await use(server);
    await server.close();
  },
});

const HANDSHAKES: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'bombs', version: '1' },
  },
  'tools/list': {
    tools: ['ask', ...Object.keys(BOMBS)].map((name) => ({ name, inputSchema: { type: 'object' } })),
  },
};

const QUESTION = {
  method: 'elicitation/create',
  params: {
    message: 'Which text?',
    requestedSchema: { type: 'object', properties: { text: { type: 'string', pattern: ENDLESS } } },
  },
};

const result = (page: Page) => page.getByRole('region', { name: 'Result' });

/** Fails if the main thread is held up; a timer of the page must fire meanwhile. */
async function expectAnswers(page: Page): Promise<void> {
  const beat = page.evaluate(() => new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 50)));
  const late = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new Error(`The page did not answer within ${ANSWERS_MS} ms.`)), ANSWERS_MS),
  );
  expect(await Promise.race([beat, late])).toBe(true);
}

test(
  'an output schema with an endless pattern: not checked, and every tab goes on',
  { tag: '@long' },
  async ({ inspector, odd, context, watch }) => {
    const { page } = inspector;
    const server = await odd({
      'tools/list': () => ({
        tools: [
          {
            name: 'slow',
            inputSchema: { type: 'object' },
            outputSchema: { type: 'object', properties: { text: { type: 'string', pattern: ENDLESS } } },
          },
        ],
      }),
      'tools/call': () => ({ content: [], structuredContent: { text: TEXT } }),
    });
    await inspector.connect(server.url);
    const words = 'Not checked: its pattern takes too long.';
    await inspector.untilEnded(await inspector.call('slow'));
    await expectAnswers(page);
    await expect(result(page)).toContainText(words);
    // Other work goes on meanwhile: a second call, a second check.
    await inspector.untilEnded(await inspector.call('slow'));
    await expectAnswers(page);
    await inspector.reload();
    await expectAnswers(page);
    await expect(result(page)).toContainText(words);
    const beside = await new Inspector(watch(await context.newPage())).open();
    await expectAnswers(beside.page);
    await expect(result(beside.page)).toContainText(words);
  },
);

test('Markdown that takes the parser minutes is shown as text, and the page goes on', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({ tools: [{ name: 'text', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: `# Title\n\n${'_a__b '.repeat(30_000)}` }] }),
  });
  await inspector.connect(server.url);
  await inspector.untilEnded(await inspector.call('text'));
  await expectAnswers(page);
  await expect(result(page)).toContainText('Shown as text, because formatting it takes too long.');
  await expect(result(page)).toContainText('# Title');
  await inspector.reload();
  await expectAnswers(page);
});

test(
  'an endless pattern in a form: the call is sent, and the page says that it was not checked',
  { tag: '@long' },
  async ({ inspector, odd }) => {
    const { page } = inspector;
    const server = await odd({
      'tools/list': () => ({
        tools: [
          {
            name: 'slow',
            inputSchema: { type: 'object', properties: { text: { type: 'string', pattern: ENDLESS } } },
          },
        ],
      }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'it ran' }] }),
    });
    await inspector.connect(server.url);
    await page.getByRole('textbox', { name: 'text' }).fill(TEXT);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expectAnswers(page);
    await expect(page.getByText('Not checked: its pattern takes too long.')).toBeVisible();
    await expect(result(page)).toContainText('it ran');
    // The editor of JSON checks while one types.
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await expect(page.getByRole('textbox', { name: 'Arguments (JSON)' })).toContainText(TEXT);
    await expectAnswers(page);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expectAnswers(page);
    await expect.poll(async () => (await inspector.calls()).length).toBe(2);
  },
);

test('an endless pattern in an elicitation: the page says that it was not checked, and the answer can be sent', async ({
  inspector,
  bombs,
}) => {
  const { page } = inspector;
  await inspector.connect(bombs.url);
  await inspector.call('ask');
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('textbox', { name: 'text' }).fill(TEXT);
  await inbox.getByRole('button', { name: 'Submit', exact: true }).click();
  await expectAnswers(page);
  await expect(inbox).toContainText('Not checked: its pattern takes too long. Submit again to send it.');
  expect(bombs.answers).toEqual([]);
  await inbox.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect.poll(() => bombs.answers).toHaveLength(1);
  expect(bombs.answers[0]).toContain(TEXT);
});

test('without workers, both forms say that nothing was checked', async ({ inspector, bombs }) => {
  const { page } = inspector;
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  await inspector.reloadAtOnce();
  await inspector.connect(bombs.url);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(page.getByText('Not checked. It can’t be checked here: Worker is not defined.')).toBeVisible();
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await inbox.getByRole('textbox', { name: 'text' }).fill('a');
  await inbox.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(inbox).toContainText('Worker is not defined. Submit again to send it.');
  expect(bombs.answers).toEqual([]);
  await inbox.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect.poll(() => bombs.answers).toHaveLength(1);
});

test('an ordinary pattern in a form is checked as before', async ({ inspector, odd }) => {
  const { page } = inspector;
  const server = await odd({
    'tools/list': () => ({
      tools: [
        {
          name: 'quick',
          inputSchema: { type: 'object', properties: { zip: { type: 'string', pattern: '^\\d{5}$' } } },
        },
      ],
    }),
    'tools/call': () => ({ content: [] }),
  });
  await inspector.connect(server.url);
  const field = page.getByRole('textbox', { name: 'zip' });
  await field.fill('1234');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(field).toHaveAccessibleDescription('Must match ^\\d{5}$');
  await field.fill('12345');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect.poll(async () => (await inspector.calls()).length).toBe(1);
});

test(
  'an endless pattern as a filter: said in words, kept over a reload, and the page goes on',
  { tag: '@long' },
  async ({ inspector, odd }) => {
    const { page } = inspector;
    const server = await odd({
      'tools/list': () => ({ tools: [{ name: 'slow', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: TEXT }] }),
    });
    await inspector.connect(server.url);
    await inspector.untilEnded(await inspector.call('slow'));
    const timeline = timelineOf(page);
    await showLog(page);
    await timeline.region.getByRole('button', { name: 'Lanes', exact: true }).click();
    await timeline.filter.fill('/(a+)+$/');
    await expectAnswers(page);
    const words = 'Not searched: the pattern takes too long. Change it to search again.';
    await expect(timeline.filter).toHaveAccessibleDescription(new RegExp(words));
    await expect(timeline.rows).toHaveCount(0);
    await expect(inspector.entries('/(a+)+$/')).rejects.toThrow(words);
    await page.reload();
    await inspector.ready();
    await expectAnswers(page);
    await expect(timeline.filter).toHaveValue('/(a+)+$/');
    await expect(timeline.filter).toHaveAccessibleDescription(new RegExp(words));
    await timeline.filter.fill('kind:call');
    await expect(timeline.rows.first()).toBeVisible();
    await expect(timeline.filter).not.toHaveAccessibleDescription(new RegExp(words));
  },
);

test('an answer that unpacks to 40 MB is cancelled, whatever its type; the call says so, and the next one works', async ({
  inspector,
  bombs,
}) => {
  await inspector.connect(bombs.url);
  const json = await inspector.untilEnded(await inspector.call('json'));
  expect(json).toMatchObject({ name: 'lost' });
  expect(json.why).toContain('larger than 32 MB');
  const error = await inspector.untilEnded(await inspector.call('error'));
  expect(error.error?.message).toContain('The response is larger than 32 MB');
  const page = await inspector.untilEnded(await inspector.call('page'));
  expect(page.error?.message).toContain('The response is larger than 32 MB');
  await expectAnswers(inspector.page);
  expect(await inspector.state()).toMatchObject({ name: 'connected' });
  const kept = await inspector.page.evaluate(() => window.reprise.exportLog());
  expect(kept.length, 'nothing of it is kept').toBeLessThan(1_000_000);
  await inspector.reload();
  await expectAnswers(inspector.page);
});

test('a token answer that unpacks to 40 MB is cancelled, and the login says so', async ({
  inspector,
  hostile,
}) => {
  const { page } = inspector;
  hostile.asksForLogin = true;
  hostile.attack = { packedToken: gzipSync(`{"access_token":"${'x'.repeat(UNPACKED_BYTES)}"}`) };
  await page.evaluate((url) => window.reprise.connect(url), hostile.url);
  const back = page.waitForEvent('load');
  await page
    .getByRole('button', { name: /^Log in/ })
    .first()
    .click();
  await back;
  await inspector.ready();
  await expectAnswers(page);
  await expect(page.getByText(/The response is larger than 1.0 MB, so it isn’t read/).first()).toBeVisible();
  const [callback] = await inspector.entries('kind:auth "larger than 1.0 MB"');
  expect(callback).toBeDefined();
});

const MANY = 200_000;

/** Calls a tool and waits for its end. What it gave stays in the page: to hand it over would take longer than all else. */
function callIn(page: Page, tool: string, countOfNumbers = 0): Promise<void> {
  return page.evaluate(
    async ([name, n]) => {
      const numbers = Array.from({ length: n }, (_, i) => i);
      const id = await window.reprise.call(name, n > 0 ? { numbers } : {});
      for (let since: string | undefined; ;) {
        if (window.reprise.calls().find((call) => call.id === id)?.settledAt !== undefined) return;
        const activity = await window.reprise.awaitActivity({
          timeoutMs: 1000,
          ...(since !== undefined && { since }),
        });
        since = activity.lastEventId;
      }
    },
    [tool, countOfNumbers] as const,
  );
}

async function reload(inspector: Inspector): Promise<void> {
  // Resolves when all of it is on disk.
  await inspector.page.evaluate(async () => void (await window.reprise.entries()));
  await inspector.reloadAtOnce();
}

const many = Array.from({ length: MANY }, (_, i) => i);

test(
  'a list with 200,000 default items: said in words, and the JSON editor takes its place',
  { tag: '@long' },
  async ({ inspector, odd }) => {
    const { page } = inspector;
    const numbers = { type: 'array', items: { type: 'integer' } };
    const choices = many.slice(0, 20_000);
    const server = await odd({
      'tools/list': () => ({
        tools: [
          {
            name: 'numbers',
            inputSchema: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                numbers: { ...numbers, default: many },
                pick: { type: 'string', enum: choices.map(String) },
                other: { anyOf: choices.map((i) => ({ type: 'object', title: `t${i}` })) },
              },
            },
          },
          { name: 'echo', inputSchema: { type: 'object', properties: { numbers } } },
        ],
      }),
      'tools/call': (params) => ({ content: [{ type: 'text', text: JSON.stringify(params['arguments']) }] }),
    });
    await inspector.connect(server.url);
    await expectAnswers(page);
    await expect(page.getByLabel('numbers', { exact: true })).toHaveAccessibleDescription(
      /Too long for a form\. Edit it as JSON\./,
    );
    await expect(page.getByLabel('pick')).toHaveAccessibleDescription(/20,000 choices, too many for a form/);
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Ada');
    await page.getByLabel('numbers', { exact: true }).fill('[1, 2]');
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments (JSON)' });
    await expect(editor).toContainText('"Ada"');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect(result(page)).toContainText('Ada');
    await reload(inspector);
    await expectAnswers(page);

    // Arguments of this length are edited as JSON, and go out as they are.
    await callIn(page, 'echo', MANY);
    await result(page).getByRole('button', { name: 'Edit & rerun' }).click();
    await expectAnswers(page);
    await expect(editor).toContainText('"numbers"');
    await editor.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('}');
    await expectAnswers(page);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect
      .poll(() => page.evaluate(() => window.reprise.calls().filter(({ tool }) => tool === 'echo').length))
      .toBe(2);
  },
);

test(
  '200,000 blocks, rows and messages: their beginning is drawn, and the rest on demand',
  { tag: '@long' },
  async ({ inspector, odd }) => {
    const { page } = inspector;
    const server = await odd({
      initialize: () => ({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, resources: {}, prompts: {} },
        serverInfo: { name: 'many', version: '1' },
      }),
      'tools/list': () => ({
        tools: ['blocks', 'rows'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      }),
      'resources/list': () => ({
        resources: many.slice(0, 20_000).map((i) => ({ uri: `a:${i}`, name: `r${i}` })),
      }),
      'resources/templates/list': () => ({ resourceTemplates: [] }),
      'resources/read': () => ({ contents: many.map((i) => ({ uri: `a:${i}`, text: `text ${i}` })) }),
      'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
      'prompts/get': () => ({
        messages: many.map((i) => ({ role: 'user', content: { type: 'text', text: `message ${i}` } })),
      }),
      'tools/call': ({ name }) =>
        name === 'blocks'
          ? { content: many.map((i) => ({ type: 'text', text: `block ${i}` })) }
          : { content: [], structuredContent: { rows: many.map((i) => ({ i })) } },
    });
    await inspector.connect(server.url);
    await callIn(page, 'blocks');
    await expectAnswers(page);
    await expect(result(page)).toContainText('block 49');
    await result(page).getByRole('button', { name: 'Show more (199,950)' }).click();
    await expect(result(page)).toContainText('block 99');
    await callIn(page, 'rows');
    await expectAnswers(page);
    await expect(result(page)).toContainText('Show more (199,900 rows)');

    await openSection(page, 'Resources');
    await expectAnswers(page);
    await expect(page.getByRole('button', { name: 'Show more (19,800)' })).toBeVisible();
    await pick(page, 'Resources', 'r7$');
    await expect(page.getByRole('region', { name: 'Resource', exact: true })).toContainText('text 19');
    await expectAnswers(page);
    await openSection(page, 'Prompts');
    await pick(page, 'Prompts', 'p$');
    await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Messages' })).toContainText('message 49');
    await expectAnswers(page);
    await reload(inspector);
    await expectAnswers(page);
  },
);
