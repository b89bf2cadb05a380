import { describe, expect, it, onTestFinished } from 'vitest';
import { asText } from '../../src/base/asText.ts';
import type { ServerHandle } from '../../src/client/servers/serverHandle.ts';
import type { Entry } from '../../src/log/entry/entry.ts';
import { withTarget } from '../../targets/testing/withTarget.ts';
import { Browser, type BrowserPage } from './browser.ts';

const SLOW = { ticks: 20, intervalMs: 50 };

interface SentRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A page that is connected to a target, and everything that it and its successors send. */
async function connectTo(profile: string) {
  const target = await withTarget(profile);
  const requests: SentRequest[] = [];
  const browser = new Browser(`coming-back-${crypto.randomUUID()}`, target.url, ({ method, headers, body }) =>
    requests.push({
      method: method ?? 'GET',
      headers: new Headers(headers),
      body: typeof body === 'string' ? body : '',
    }),
  );
  let page: BrowserPage = await browser.open();
  onTestFinished(() => page.die());
  await page.tab.execute({ name: 'connect', url: target.url, settings: {} });
  return {
    target,
    requests,
    tab: page.tab,
    reload: async (): Promise<ServerHandle> => {
      requests.length = 0;
      page = await browser.reload(page);
      await page.tab.ready;
      return page.tab;
    },
  };
}

const call = async (tab: ServerHandle, tool: string, args: object = {}): Promise<string> =>
  asText(await tab.execute({ name: 'call', tool, args, options: {} }));

function until(tab: ServerHandle, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = tab.log.appended.on(() => {
      if (!holds()) return;
      stop();
      resolve();
    });
  });
}

const received = (tab: ServerHandle, id: string, n: number) =>
  until(tab, () => (tab.log.state.calls.get(id)?.received ?? 0) >= n);
const restarted = (tab: ServerHandle) =>
  until(tab, () => tab.state.name === 'connected' && tab.state.how === 'restarted');
const isNote = (entry: Entry) => entry.kind === 'note';

describe('a resumed GET', () => {
  it('has the protocol version and the session of the page before, and the event ID of its own stream', async () => {
    const { tab, requests, reload } = await connectTo('resumable');
    const session = requests.at(-1)?.headers.get('mcp-session-id');
    const id = await call(tab, 'countdown', SLOW);
    await received(tab, id, 3);
    const cursor = tab.log.state.streams.get(id)?.cursor;
    const next = await reload();
    await until(next, () => next.log.state.calls.get(id)?.name === 'settled');
    const gets = requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers);
    expect(gets.length).toBeGreaterThanOrEqual(2);
    for (const headers of gets) {
      expect(headers.get('mcp-session-id')).toBe(session);
      expect(headers.get('mcp-protocol-version')).toBe('2025-11-25');
      expect(headers.get('accept')).toContain('text/event-stream');
    }
    expect(gets.map((headers) => headers.get('last-event-id'))).toContain(cursor);
    expect(requests.filter(({ body }) => body.includes('"initialize"'))).toEqual([]);
  });
});

describe('a server that restarted while no page was there', () => {
  it('costs the open calls and input requests, each with its reason, and gets one new session', async () => {
    const { tab, target, requests, reload } = await connectTo('resumable');
    const counted = await call(tab, 'countdown', SLOW);
    const asking = await call(tab, 'ask', { question: 'Which?' });
    await until(tab, () => tab.log.state.questions.size === 1);
    await received(tab, counted, 3);
    const [question] = [...tab.log.state.questions.keys()];
    const before = requests.at(-1)?.headers.get('mcp-session-id');
    await target.control('restart');
    const next = await reload();
    await restarted(next);
    for (const id of [counted, asking]) {
      expect(next.log.state.calls.get(id)).toMatchObject({ name: 'lost', reason: { code: 'session-ended' } });
    }
    expect([...next.log.state.questions.values()]).toEqual([]);
    expect(next.log.state.questions.closed).toMatchObject([{ reason: { code: 'session-ended' } }]);
    expect(next.state).toMatchObject({ cost: { callsLost: 2, questionsExpired: 1 } });
    const begun = requests.filter(({ body }) => body.includes('"initialize"'));
    expect(begun.map(({ headers }) => headers.has('mcp-session-id'))).toEqual([false]);
    expect(requests.at(-1)?.headers.get('mcp-session-id')).not.toBe(before);
    expect(requests.filter(({ body }) => body.includes('tools/call'))).toEqual([]);
    await expect(
      next.execute({ name: 'answer', requestId: question ?? '', result: { action: 'accept' } }),
    ).rejects.toThrow('No open request with ID');
  });
});

describe('a new session that a 404 offers', () => {
  it('is told once, in the page, and never used', async () => {
    const { tab, target, requests, reload } = await connectTo('fresh-404');
    const id = await call(tab, 'countdown', SLOW);
    await received(tab, id, 3);
    const known = new Set(target.stats().sessions.map((session) => session.id));
    await target.control('expire-sessions');
    const next = await reload();
    await restarted(next);
    const notes = next.log.tail.filter(isNote);
    expect(notes).toMatchObject([{ level: 'warn', reason: { code: 'session-offered' } }]);
    const began = requests.findIndex(({ body }) => body.includes('"initialize"'));
    expect(requests[began]?.headers.has('mcp-session-id')).toBe(false);
    const used = new Set(requests.slice(began + 1).map(({ headers }) => headers.get('mcp-session-id')));
    expect(used.size).toBe(1);
    const offered = target
      .stats()
      .sessions.filter((session) => !known.has(session.id) && !used.has(session.id));
    expect(offered.length).toBeGreaterThan(0);
  });

  it('is not told of a 404 without one', async () => {
    const { target, reload } = await connectTo('resumable');
    await target.control('expire-sessions');
    const next = await reload();
    await restarted(next);
    expect(next.log.tail.filter(isNote)).toEqual([]);
  });
});
