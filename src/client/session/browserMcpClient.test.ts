import { afterEach, describe, expect, it } from 'vitest';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import { TestClient } from '../testing/testClient.ts';

afterEach(() => TestClient.closeAll());

async function connected(profile = 'resumable') {
  const target = await withTarget(profile);
  const page = new TestClient(target.url);
  await page.connect();
  return { page, client: page.client };
}

describe('a call', () => {
  it('has an ID once its intent is in the log, and is settled there', async () => {
    const { page, client } = await connected();
    const id = await client.call('countdown', { ticks: 2, intervalMs: 1 });
    expect(page.call(id)).toMatchObject({ tool: 'countdown', args: { ticks: 2, intervalMs: 1 } });
    await page.untilEnded(id);
    expect(page.call(id)).toMatchObject({ name: 'settled' });
  });

  it('is refused before it is recorded where there is no connection', async () => {
    const { url } = await withTarget('resumable');
    const page = new TestClient(url);
    await expect(page.client.call('countdown')).rejects.toMatchObject({ code: 'not-connected' });
    expect(page.log.state.calls.size).toBe(0);
  });

  it('with a placeholder of a hidden secret in its arguments is refused', async () => {
    const { page, client } = await connected();
    await expect(client.call('countdown', { note: '‹redacted›' })).rejects.toThrow();
    expect(page.log.state.calls.size).toBe(0);
  });

  it('is cancelled at the server too', async () => {
    const { page, client } = await connected();
    const id = await client.call('countdown', { ticks: 100, intervalMs: 1000 });
    await page.until(() => page.call(id)?.progress !== undefined);
    await client.cancel(id, 'Enough.');
    expect(page.call(id)).toMatchObject({ name: 'cancelled', reason: { code: 'user-cancelled' } });
    const sent = page.log.tail.findLast((entry) => entry.kind === 'sent');
    expect(sent).toMatchObject({
      method: 'notifications/cancelled',
      raw: expect.stringContaining('Enough.'),
    });
  });

  it('that has ended can be forgotten, and one that is open can’t', async () => {
    const { page, client } = await connected();
    const open = await client.call('countdown', { ticks: 100, intervalMs: 1000 });
    await expect(client.forgetCall(open)).rejects.toMatchObject({ code: 'call-open' });
    const done = await client.call('countdown', { ticks: 1, intervalMs: 1 });
    await page.untilEnded(done);
    await client.forgetCall(done);
    expect(page.call(done)).toBeUndefined();
  });
});

describe('an input request', () => {
  it('is answered, and the call goes on', async () => {
    const { page, client } = await connected();
    const id = await client.call('ask', { question: 'Who?' });
    await page.until(() => page.log.state.questions.size > 0);
    const [question = ''] = page.log.state.questions.keys();
    await client.answer(question, { action: 'accept', content: { answer: 'Ada' } });
    await page.untilEnded(id);
    expect(JSON.stringify(page.call(id)?.result)).toContain('accept: Ada');
    await expect(client.answer(question, { action: 'decline' })).rejects.toThrow();
  });

  it('is declined with an error', async () => {
    const { page, client } = await connected();
    const id = await client.call('sample', { prompt: 'Hi' });
    await page.until(() => page.log.state.questions.size > 0);
    const [question = ''] = page.log.state.questions.keys();
    await client.decline(question, 'Not today.');
    await page.untilEnded(id);
    expect(page.log.state.questions.size).toBe(0);
  });
});

describe('other requests', () => {
  it('are sent as they are, and their error is the server’s', async () => {
    const { client } = await connected();
    expect(await client.request('ping', {})).toEqual({});
    await expect(client.request('resources/read', { uri: 'nowhere:/' })).rejects.toThrow();
  });

  it('read the lists, which are stored', async () => {
    const { page, client } = await connected();
    const { tools } = await client.refreshLists();
    expect(tools.map(({ name }) => name)).toContain('countdown');
    expect(page.lists.at(-1)?.tools).toEqual(tools);
  });
});

describe('a login', () => {
  it('that failed is asked for again, and the session is taken up once there is one', async () => {
    const { page, client } = await connected();
    client.loginFailed({ code: 'unauthorized' });
    await page.until(() => page.log.state.connection.name === 'authorizing');
    expect(await client.authorized({ code: 'logged-in' })).toMatchObject({ name: 'connected' });
    expect(page.states).toEqual(['connecting', 'connected', 'authorizing', 'reconnecting', 'connected']);
  });

  it('that nobody waits for changes nothing', async () => {
    const { page, client } = await connected();
    expect(await client.authorized({ code: 'logged-in' })).toMatchObject({ name: 'connected' });
    expect(page.states).toEqual(['connecting', 'connected']);
  });
});

it('a task is followed and cancelled by the ID of its call', async () => {
  const { page, client } = await connected('tasks-2025');
  const id = await client.call('countdown', { ticks: 100, intervalMs: 1000 });
  await page.until(() => page.log.state.continuations.tasks.size > 0);
  const [taskId = ''] = page.log.state.continuations.tasks.keys();
  await client.cancelTask(taskId);
  await page.untilEnded(id);
  expect(page.call(id)?.name).toBe('cancelled');
});
