import { describe, expect, it, onTestFinished } from 'vitest';
import { withTarget } from '../../../targets/testing/withTarget.ts';
import type { ConnectionState } from '../../log/state/connectionState.ts';
import type { LinkEvent } from '../streams/linkEvent.ts';
import { linkOptions } from '../testing/testLink.ts';
import type { LinkOptions } from './linkOptions.ts';
import { ServerLink } from './serverLink.ts';

function linkTo(url: string, given: Partial<LinkOptions> = {}) {
  const options = linkOptions(url, given);
  const link = new ServerLink(options);
  const events: LinkEvent[] = [];
  link.events.on((event) => events.push(event));
  onTestFinished(() => link.close());
  const say = (state: ConnectionState) => void (link.state = state);
  return { link, events, say, log: options.log };
}

const CONNECTED: ConnectionState = { name: 'connected', how: 'fresh' };
const RECONNECTING: ConnectionState = {
  name: 'reconnecting',
  attempt: 1,
  retryAt: 0,
  reason: { code: 'broken' },
};

describe('the connection that counts', () => {
  it('is required in words: not connected, on its way, there', async () => {
    const { url } = await withTarget('resumable');
    const { link, say } = linkTo(url, { revision: 'session' });
    expect(() => link.require()).toThrow('Not connected. Connect to the server first.');
    say(RECONNECTING);
    expect(() => link.require()).toThrow('Reconnecting. Try again in a moment.');
    const connection = await link.open(undefined);
    say(CONNECTED);
    expect(link.require()).toBe(connection);
    expect(link.canReply).toBe(true);
    say({ name: 'disconnected', reason: { code: 'user-disconnected', how: 'connection' } });
    expect(() => link.require()).toThrow('Not connected.');
    expect(link.canReply).toBe(false);
  });

  it('that was replaced isn’t heard any more', async () => {
    const { url } = await withTarget('resumable');
    let isBroken = false;
    const { link, events } = linkTo(url, {
      revision: 'session',
      fetch: (input, init) =>
        isBroken && init?.method === 'POST'
          ? Promise.resolve(new Response('', { status: 500 }))
          : fetch(input, init),
    });
    const first = await link.open(undefined);
    await link.close();
    const second = await link.open(undefined);
    expect(second).not.toBe(first);
    isBroken = true;
    const before = events.length;
    await first.ask('1', 'tools/list', {}, 1000).catch(() => undefined);
    expect(events).toHaveLength(before);
    expect(link.lastFailure).toBeUndefined();
    await second.ask('2', 'tools/list', {}, 1000).catch(() => undefined);
    expect(events.at(-1)).toMatchObject({ kind: 'request-failed', failure: { outcome: { status: 500 } } });
    expect(link.lastFailure).toMatchObject({ outcome: { status: 500 } });
  });

  it('keeps a failed ping for the check of the session', async () => {
    const { url } = await withTarget('resumable');
    let isBroken = false;
    const { link, events } = linkTo(url, {
      revision: 'session',
      fetch: (input, init) =>
        isBroken && init?.method === 'POST'
          ? Promise.resolve(new Response('', { status: 404 }))
          : fetch(input, init),
    });
    const connection = await link.open(undefined);
    isBroken = true;
    expect(await connection.checkSession()).toMatchObject({ name: 'gone' });
    expect(events.filter(({ kind }) => kind === 'request-failed')).toEqual([]);
  });
});

describe('the way of the protocol', () => {
  it('is the deprecated HTTP+SSE where Streamable HTTP is refused', async () => {
    const { url } = await withTarget('sse');
    const { link } = linkTo(url);
    const connection = await link.open(undefined);
    expect(connection.session.transport).toBe('sse');
    expect(link.verdict).toMatchObject({ transport: 'sse', reason: { code: 'old-sse', how: 'found' } });
    expect(link.stateless).toBeUndefined();
  });

  it('is 2026-07-28 where that is all there is, with a stream to listen on', async () => {
    const { url } = await withTarget('modern');
    const { link } = linkTo(url);
    await link.open(undefined);
    expect(link.verdict).toMatchObject({ era: 'stateless' });
    expect(link.stateless).toBeDefined();
    await link.close();
    expect(link.stateless).toBeUndefined();
  });

  it('is the one with sessions where both are offered, because they resume', async () => {
    const { url } = await withTarget('dual');
    const { link } = linkTo(url);
    await link.open(undefined);
    expect(link.verdict).toMatchObject({ era: 'session', sessions: { name: 'resumable' } });
  });
});

describe('a server that doesn’t respond', () => {
  it('is the failure that is kept, also when HTTP+SSE was tried in vain', async () => {
    const target = await withTarget('resumable');
    await target.close();
    const { link } = linkTo(target.url);
    await expect(link.open(undefined)).rejects.toThrow();
    expect(link.lastFailure).toMatchObject({ verdict: { name: 'no-answer' } });
    expect(await link.responds()).toBe(false);
  });

  it('and one that does', async () => {
    const { url } = await withTarget('resumable');
    expect(await linkTo(url).link.responds()).toBe(true);
  });
});

describe('the last failure', () => {
  it('is forgotten with the next connection', async () => {
    const { url } = await withTarget('resumable');
    let isBroken = true;
    const { link } = linkTo(url, {
      revision: 'session',
      fetch: (input, init) =>
        isBroken && init?.method === 'POST'
          ? Promise.resolve(new Response('', { status: 500 }))
          : fetch(input, init),
    });
    await expect(link.open(undefined)).rejects.toThrow();
    expect(link.lastFailure).toMatchObject({ outcome: { status: 500 } });
    isBroken = false;
    await link.open(undefined);
    expect(link.lastFailure).toBeUndefined();
  });

  it('is that of Streamable HTTP where HTTP+SSE is refused too', async () => {
    const methods: string[] = [];
    const { link } = linkTo('http://localhost:1/mcp', {
      fetch: (_, { method = 'GET' } = {}) => {
        methods.push(method);
        return Promise.resolve(new Response('', { status: method === 'POST' ? 404 : 410 }));
      },
    });
    await expect(link.open(undefined)).rejects.toThrow();
    expect(methods.at(-1)).toBe('GET');
    expect(link.lastFailure).toMatchObject({ request: 'initialize', outcome: { status: 404 } });
  });
});

describe('HTTP+SSE', () => {
  /** The methods of its requests, in their order. */
  function watched(url: string, given: Partial<LinkOptions> = {}) {
    const methods: string[] = [];
    const { link } = linkTo(url, {
      ...given,
      fetch: (input, init) => {
        methods.push(init?.method ?? 'GET');
        return fetch(input, init);
      },
    });
    return { link, methods };
  }

  it('is tried first where it was used before: nothing is posted in vain', async () => {
    const { url } = await withTarget('sse');
    const { link, methods } = watched(url);
    const connection = await link.open(undefined, { last: 'old-sse' });
    expect(connection.session.transport).toBe('sse');
    expect(methods[0]).toBe('GET');
  });

  it('gives way to Streamable HTTP where the server has that by now', async () => {
    const { url } = await withTarget('resumable');
    const { link } = watched(url, { revision: 'session' });
    const connection = await link.open(undefined, { last: 'old-sse' });
    expect(connection.session.transport).toBeUndefined();
  });

  it('is the only way where the user has chosen it', async () => {
    const sse = await withTarget('sse');
    const chosen = watched(sse.url, { revision: 'sse' });
    await chosen.link.open(undefined);
    expect(chosen.methods[0]).toBe('GET');
    const other = await withTarget('resumable');
    const { link, methods } = watched(other.url, { revision: 'sse' });
    await expect(link.open(undefined)).rejects.toThrow();
    expect(methods).not.toContain('POST');
  });
});

it('has nothing of the verdict of the connection before', async () => {
  const { url } = await withTarget('dual');
  const { link } = linkTo(url);
  const { session } = await link.open(undefined);
  expect(link.verdict).toMatchObject({ sessions: { name: 'resumable' } });
  await link.close();
  const resumed = await link.open(session);
  expect(link.verdict).toEqual(resumed.verdict);
});
