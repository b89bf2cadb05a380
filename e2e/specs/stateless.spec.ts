/** Servers of 2026-07-28: no session, no replay. What a reload means there, and what every request carries. */
import { pause } from '../../targets/core/pause.ts';
import { textResult } from '../../targets/core/toolContext.ts';
import type { ToolDefinition } from '../../targets/core/toolTable.ts';
import type { RunningTarget } from '../../targets/startTarget.ts';
import { expect, test, type Inspector } from './inspector.ts';
import { openSection, pick, resource } from './sections.ts';
import { callRow } from './timelinePage.ts';

const COUNTDOWN = { ticks: 40, intervalMs: 150 };

/** Says nothing of what happens when it is called twice. */
const linger: ToolDefinition = {
  tool: { name: 'linger', inputSchema: { type: 'object' } },
  run: async (_args, context) => {
    await context.progress(1, 2, 'half of it');
    await pause(60_000, context.signal);
    return textResult('done');
  },
};

/** Only a plain value can stand in a header: a client must leave this tool out. */
const misMarked: ToolDefinition = {
  tool: {
    name: 'misMarked',
    inputSchema: { type: 'object', properties: { a: { type: 'object', 'x-mcp-header': 'A' } } },
  },
  run: () => Promise.resolve(textResult('called')),
};

const methods = (target: RunningTarget) => target.stats().sessions[0]?.methods ?? {};

async function connectTo(target: RunningTarget, inspector: Inspector): Promise<void> {
  await inspector.connect(target.url);
  const [era] = await inspector.entries('kind:era');
  expect(era).toMatchObject({ era: 'stateless', protocolVersion: '2026-07-28' });
}

const sentBy = async (inspector: Inspector, filter: string) =>
  (await inspector.entries(`kind:sent ${filter}`)).map(
    ({ message }) => message as { id: string; method: string; params: Record<string, unknown> },
  );

/** Each answer of the server that asks, and the request that follows it: the state goes back as it came, under a new id. */
async function expectStatesEchoed(inspector: Inspector, filter: string, rounds: number): Promise<void> {
  const sent = await sentBy(inspector, filter);
  const states = (await inspector.entries('kind:received'))
    .map(({ message }) => message as { id: string; result?: { requestState?: string } })
    .filter(({ id, result }) => result?.requestState !== undefined && sent.some((one) => one.id === id))
    .map(({ result }) => result?.requestState);
  expect(states).toHaveLength(rounds);
  expect(sent.map(({ params }) => params['requestState'])).toEqual([undefined, ...states]);
  expect(new Set(sent.map(({ id }) => id)).size).toBe(rounds + 1);
}

test('a plain call is cancelled by the reload, in words, and is called again only by a click', async ({
  inspector,
  target,
}) => {
  const server = await target('modern', { overrides: { extraTools: [linger, misMarked] } });
  await connectTo(server, inspector);
  const id = await inspector.call('countdown', COUNTDOWN);
  await inspector.untilReceived(id, 6);
  await inspector.reload();

  const call = await inspector.callNamed(id);
  expect(call).toMatchObject({ name: 'cancelled', why: expect.stringContaining('Cancelled by the reload') });
  const { page } = inspector;
  await expect(page.getByRole('status').first()).toContainText('1 call cancelled by the reload');
  await expect.poll(() => server.stats().sessions[0]?.streams[id]?.cancelled).toBe(true);
  expect(server.stats().calls['countdown']).toBe(1);
  // The verdict, the discovery and the lists that are still fresh come from the log.
  expect(methods(server)).toMatchObject({ 'server/discover': 1, 'tools/list': 1 });
  await expect
    .poll(() => sentBy(inspector, 'load:2'))
    .toEqual([expect.objectContaining({ method: 'subscriptions/listen' })]);

  const callAgain = async (tool: string) => {
    await callRow(page, new RegExp(`^${tool}\\b`))
      .first()
      .click();
    await page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Call again' }).click();
  };
  await callAgain('countdown');
  await expect.poll(() => server.stats().calls['countdown']).toBe(2);

  // This one does not say that it may be repeated: it is asked about first.
  const other = await inspector.call('linger');
  await inspector.untilReceived(other, 1);
  await inspector.reload();
  expect(await inspector.callNamed(other)).toMatchObject({ name: 'cancelled' });
  await callAgain('linger');
  expect(server.stats().calls['linger']).toBe(1);
  await page.getByRole('button', { name: 'Call again' }).click();
  await expect.poll(() => server.stats().calls['linger']).toBe(2);

  const names = await page.evaluate(async () => (await window.reprise.tools()).map(({ name }) => name));
  expect(names).toContain('linger');
  expect(names).not.toContain('misMarked');
});

test('every request says who asks, a renamed header is learned, and a cancellation says nothing', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const id = await inspector.call('route', { region: 'Zürich, west' });
  expect(await inspector.untilEnded(id)).toMatchObject({ name: 'settled' });
  const [http] = await inspector.entries(`kind:http call:${id}`);
  const headers = (http as unknown as { requestHeaders: Record<string, string> }).requestHeaders;
  expect(headers).toMatchObject({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'route',
    'mcp-param-region': `=?base64?${Buffer.from('Zürich, west').toString('base64')}?=`,
  });
  expect(headers).not.toHaveProperty('mcp-session-id');

  // The server has not run a call whose header it does not find: the tools are listed again, and it goes through.
  await server.control('rename-header');
  const lists = methods(server)['tools/list'] ?? 0;
  const routed = await inspector.untilEnded(await inspector.call('route', { region: 'eu' }));
  expect(routed).toMatchObject({ name: 'settled', result: { content: [{ text: 'Routed to eu' }] } });
  expect(methods(server)['tools/list']).toBeGreaterThan(lists);

  // The level goes with each request: without one nothing is said.
  await openSection(inspector.page, 'Logs');
  await inspector.page.getByRole('combobox', { name: 'Server level' }).selectOption('error');
  const quiet = await inspector.call('countdown', { ticks: 3, intervalMs: 10 });
  expect(await inspector.untilEnded(quiet)).toMatchObject({ name: 'settled', received: 4 });

  const cancelled = await inspector.call('countdown', COUNTDOWN);
  await inspector.untilReceived(cancelled, 3);
  await inspector.page.evaluate((callId) => window.reprise.cancel(callId), cancelled);
  await expect.poll(() => server.stats().sessions[0]?.streams[cancelled]?.cancelled).toBe(true);
  expect(await inspector.callNamed(cancelled)).toMatchObject({ name: 'cancelled' });
  expect(methods(server)).not.toHaveProperty('notifications/cancelled');

  // The one try whether the server has sessions too belongs to the other protocol version.
  for (const { params } of await sentBy(inspector, '-method:initialize')) {
    expect(params['_meta']).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'reprise' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, roots: {} },
    });
  }
});

test('more calls than places: none is let go to make room; a stream that breaks loses its call', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const ids = await Promise.all(
    [1, 2, 3, 4, 5].map(() => inspector.call('countdown', { ticks: 12, intervalMs: 80 })),
  );
  for (const id of ids) await inspector.expectWhole(id, 12);
  expect(Object.values(server.stats().sessions[0]?.streams ?? {}).some(({ cancelled }) => cancelled)).toBe(
    false,
  );

  const lost = await inspector.call('countdown', COUNTDOWN);
  await inspector.untilReceived(lost, 3);
  await server.control('drop-streams');
  expect(await inspector.untilEnded(lost)).toMatchObject({
    name: 'lost',
    why: expect.stringContaining('closing the stream cancels the call'),
  });
  await expect.poll(() => methods(server)['subscriptions/listen']).toBe(2);
  await expect.poll(async () => (await inspector.state()).name).toBe('connected');
});

test('what the server tells on its one stream is heard, with the resources that are subscribed to, and again after a reload', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const { page } = inspector;
  const heard = () => inspector.entries('kind:received method:notifications/tools/list_changed');
  const acknowledged = () =>
    inspector.entries('kind:received method:notifications/subscriptions/acknowledged');
  await expect.poll(async () => (await acknowledged()).length).toBe(1);
  await server.control('announce');
  await expect.poll(async () => (await heard()).length).toBe(1);
  await expect.poll(() => methods(server)['tools/list']).toBe(2);

  await openSection(page, 'Resources');
  await expect(resource(page)).toContainText('A Reprise target server.');
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expect(resource(page)).toContainText('Subscribed');
  await expect.poll(async () => (await acknowledged()).length).toBe(2);
  await inspector.reload();
  await expect.poll(async () => (await acknowledged()).length).toBe(3);
  await expect(resource(page)).toContainText('Subscribed');
  await expect(resource(page)).not.toContainText('Updated');
  const reads = methods(server)['resources/read'] ?? 0;
  await server.control('announce');
  await expect(resource(page)).toContainText('Updated');
  await expect.poll(() => methods(server)['resources/read']).toBe(reads + 1);
  await expect.poll(heard).toHaveLength(2);

  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect.poll(async () => (await acknowledged()).length).toBe(4);
  const filters = (await sentBy(inspector, 'method:subscriptions/listen')).map(
    ({ params }) => (params['notifications'] as { resourceSubscriptions?: string[] }).resourceSubscriptions,
  );
  expect(filters).toEqual([undefined, ['reprise://about'], ['reprise://about'], undefined]);
  expect(methods(server)).not.toHaveProperty('resources/subscribe');
});

test('several rounds of questions, with a reload in each: the state is echoed byte for byte, until it has expired', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const { page } = inspector;
  const id = await inspector.call('interview', { questions: 2 });
  for (const round of [1, 2]) {
    await page.waitForFunction(
      ([callId, n]) =>
        window.reprise
          .calls()
          .some((call) => call.id === callId && call.name === 'needs-input' && call.rounds === n),
      [id, round] as const,
    );
    await inspector.stored();
    // A server without sessions may be restarted between question and answer: its state is with the client.
    if (round === 2) await server.control('restart');
    await inspector.reload();
    await expect(page.getByRole('status').first()).toContainText('1 input request kept');
    await expect(page.getByRole('region', { name: 'Inbox' })).toContainText(`Question ${round} of 2?`);
    await inspector.answer(await inspector.untilAsked(), {
      action: 'accept',
      content: { answer: `answer ${round}` },
    });
  }
  const call = await inspector.untilEnded(id);
  expect(JSON.stringify(call.result)).toContain('answer 1 · accept: answer 2');
  await expectStatesEchoed(inspector, `call:${id}`, 2);
  expect(server.stats().calls['interview']).toBe(3);

  const late = await inspector.call('ask', { question: 'Too late?' });
  const asked = await inspector.untilAsked();
  await server.control('expire-states');
  await inspector.answer(asked, { action: 'accept', content: { answer: 'late' } });
  expect(await inspector.untilEnded(late)).toMatchObject({ name: 'settled', error: { code: -32602 } });
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Call the tool again');
});

test(
  'a prompt and a resource ask first: a reload keeps the question, and the roots go along unasked',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const server = await target('modern');
    await connectTo(server, inspector);
    const { page } = inspector;
    await openSection(page, 'Prompts');
    await pick(page, 'Prompts', 'test_input_required_result_prompt');
    await page.getByRole('button', { name: 'Get prompt', exact: true }).click();
    const messages = page.getByRole('region', { name: 'Messages' });
    await expect(messages).toContainText('needs your input first');
    const first = await inspector.untilAsked();
    await inspector.reload();
    await expect(messages).toContainText('needs your input first');
    await inspector.answer(first, { action: 'accept', content: { context: 'after a reload' } });
    await expect(messages).toContainText('Use this context: {"context":"after a reload"}');
    await expectStatesEchoed(inspector, 'method:prompts/get', 1);

    await openSection(page, 'Client');
    await page.getByRole('textbox', { name: 'URI' }).fill('file:///work/here');
    await page.getByRole('button', { name: 'Add root' }).click();
    await expect(page.getByRole('list', { name: 'Roots' })).toContainText('file:///work/here');
    await openSection(page, 'Resources');
    await pick(page, 'Resources', 'Readable after an answer');
    await expect(resource(page)).toContainText('needs your input first');
    const second = await inspector.untilAsked();
    await inspector.reload();
    await expect(resource(page)).toContainText('needs your input first');
    await expect(page.getByRole('button', { name: '1 input request' })).toBeVisible();
    await inspector.answer(second, { action: 'accept', content: { word: 'sesame' } });
    await expect(resource(page)).toContainText('file:///work/here');
    await expect(resource(page)).toContainText('sesame');
    await expectStatesEchoed(inspector, 'method:resources/read "reprise://guarded"', 1);
    expect(await inspector.calls()).toEqual([]);
  },
);
