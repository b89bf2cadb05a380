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
        isBroken ? Promise.resolve(new Response('', { status: 500 })) : fetch(input, init),
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
        isBroken ? Promise.resolve(new Response('', { status: 404 })) : fetch(input, init),
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
