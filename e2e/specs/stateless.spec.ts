/** Servers of 2026-07-28: no session, no replay. What a reload means there, and what every request carries. */
import type { RunningTarget } from '../targets/startTarget.ts';
import { expect, test, type Inspector } from './inspector.ts';

const COUNTDOWN = { ticks: 40, intervalMs: 150 };

const methods = (target: RunningTarget) => target.stats().sessions[0]?.methods ?? {};

async function connectTo(target: RunningTarget, inspector: Inspector): Promise<void> {
  await inspector.connect(target.url);
  const [era] = await inspector.entries('kind:era');
  expect(era).toMatchObject({ era: 'stateless', protocolVersion: '2026-07-28' });
}

test('a plain call is cancelled by the reload, in words, and is called again only by a click', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
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
  expect((await inspector.entries('kind:sent load:2')).map(({ message }) => message)).toEqual([
    expect.objectContaining({ method: 'subscriptions/listen' }),
  ]);

  const again = page.getByRole('button', { name: 'Call again' });
  await expect(again).toBeVisible();
  await again.click();
  await expect.poll(() => server.stats().calls['countdown']).toBe(2);
});

test('every request says who asks, and a call carries its name and its marked parameters as headers', async ({
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
  for (const { message } of await inspector.entries('kind:sent')) {
    const { params } = message as { params: { _meta: object } };
    expect(params._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'reprise' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    });
  }
});

test('a header that the server has renamed: the tools are listed again, and the call goes through', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  await server.control('rename-header');
  const id = await inspector.call('route', { region: 'eu' });
  const call = await inspector.untilEnded(id);
  expect(call.error).toBeUndefined();
  expect(JSON.stringify(call.result)).toContain('Routed to eu');
});

test('a cancellation closes the stream and says nothing', async ({ inspector, target }) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const id = await inspector.call('countdown', COUNTDOWN);
  await inspector.untilReceived(id, 3);
  await inspector.page.evaluate((callId) => window.reprise.cancel(callId), id);
  await expect.poll(() => server.stats().sessions[0]?.streams[id]?.cancelled).toBe(true);
  expect(await inspector.callNamed(id)).toMatchObject({ name: 'cancelled' });
  expect(methods(server)).not.toHaveProperty('notifications/cancelled');
});

test('more calls than places: none is let go to make room, because that would cancel it', async ({
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
});

test('a stream that breaks loses the call, and the page listens again', async ({ inspector, target }) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const id = await inspector.call('countdown', COUNTDOWN);
  await inspector.untilReceived(id, 3);
  await server.control('drop-streams');
  expect(await inspector.untilEnded(id)).toMatchObject({
    name: 'lost',
    why: expect.stringContaining('a closed stream is the cancellation'),
  });
  await expect.poll(() => methods(server)['subscriptions/listen']).toBe(2);
  await expect.poll(async () => (await inspector.state()).name).toBe('connected');
});

test('what the server tells on its one stream is heard, and heard again after a reload', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const heard = () => inspector.entries('kind:received method:notifications/tools/list_changed');
  const acknowledged = () =>
    inspector.entries('kind:received method:notifications/subscriptions/acknowledged');
  await expect.poll(async () => (await acknowledged()).length).toBe(1);
  await server.control('announce');
  await expect.poll(async () => (await heard()).length).toBe(1);
  await expect.poll(() => methods(server)['tools/list']).toBe(2);
  await inspector.reload();
  await expect.poll(async () => (await acknowledged()).length).toBe(2);
  await server.control('announce');
  await expect.poll(async () => (await heard()).length).toBe(2);
});

test('a question, a reload, the answer: the retry echoes the state byte for byte', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const id = await inspector.call('ask', { question: 'Still there?' });
  const asked = await inspector.untilAsked();
  expect(await inspector.callNamed(id)).toMatchObject({ name: 'needs-input', rounds: 1 });
  await inspector.reload();
  await inspector.reload();
  const { page } = inspector;
  await expect(page.getByRole('status').first()).toContainText('1 question kept');
  expect(await inspector.callNamed(id)).toMatchObject({ name: 'needs-input' });
  await expect(page.getByRole('region', { name: 'Inbox' })).toContainText('Still there?');
  await inspector.answer(asked, { action: 'accept', content: { answer: 'yes, still' } });
  const call = await inspector.untilEnded(id);
  expect(JSON.stringify(call.result)).toContain('yes, still');

  const [answer] = await inspector.entries(`kind:received call:${id}`);
  const { requestState } = (answer?.message as { result: { requestState: string } }).result;
  const sent = await inspector.entries(`kind:sent call:${id}`);
  const retry = sent.at(-1)?.message as { id: string; params: { requestState: string } };
  expect(retry.params.requestState).toBe(requestState);
  expect(retry.id).not.toBe(id);
  expect(sent).toHaveLength(2);
});

test('several rounds, with a reload in each of them', async ({ inspector, target }) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const id = await inspector.call('interview', { questions: 3 });
  for (let round = 1; round <= 3; round += 1) {
    await inspector.page.waitForFunction(
      ([callId, n]) =>
        window.reprise
          .calls()
          .some((call) => call.id === callId && call.name === 'needs-input' && call.rounds === n),
      [id, round] as const,
    );
    await inspector.reload();
    await inspector.answer(await inspector.untilAsked(), {
      action: 'accept',
      content: { answer: `answer ${round}` },
    });
  }
  const call = await inspector.untilEnded(id);
  expect(JSON.stringify(call.result)).toContain('answer 1 · accept: answer 2 · accept: answer 3');
});

test('a state that has expired: the server says no, and the page says what to do', async ({
  inspector,
  target,
}) => {
  const server = await target('modern');
  await connectTo(server, inspector);
  const id = await inspector.call('ask', { question: 'Too late?' });
  const asked = await inspector.untilAsked();
  await server.control('expire-states');
  await inspector.reload();
  await inspector.answer(asked, { action: 'accept', content: { answer: 'late' } });
  const call = await inspector.untilEnded(id);
  expect(call).toMatchObject({ name: 'settled', error: { code: -32602 } });
  await expect(inspector.page.getByRole('region', { name: 'Result' })).toContainText('Call the tool again');
});
