import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../storage/memoryStore.ts';
import { Vault } from '../storage/vault.ts';
import { CARRY } from './relayedRequest.ts';
import { RefreshRelay } from './refreshRelay.ts';
import { createRelayFetch, type FindWorker } from './relayFetch.ts';

const URL = 'http://localhost:2/token';
const PLACE = 'oauth/server/carried';
const refresh = () => ({
  method: 'POST',
  headers: { authorization: 'Basic c2VjcmV0' },
  body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'refresh-1' }),
});

let vault: Vault;
let sent: RequestInit[];
let answer: () => Promise<Response>;
/** What the page sends itself. */
let sentByPage: number;

beforeEach(() => {
  vault = new Vault(new MemoryStore());
  sent = [];
  sentByPage = 0;
  answer = async () => Response.json({ access_token: 'fresh-token' });
});

/** A worker that the browser has started; another one has forgotten what this one remembers. */
function startWorker(): FindWorker {
  const relay = new RefreshRelay(vault, (_url, init = {}) => {
    sent.push(init);
    return answer();
  });
  const postMessage = (message: unknown, [port]: Transferable[] = []) => {
    if (message === CARRY && port instanceof MessagePort) void relay.serve(port);
  };
  return async () => ({ postMessage: postMessage as ServiceWorker['postMessage'] });
}

const page = (findWorker: FindWorker, place = PLACE) => {
  const fetch = async () => {
    sentByPage += 1;
    return Response.json({});
  };
  return createRelayFetch({ fetch, findWorker, place });
};

describe('a refresh', () => {
  it('whose answer is too large is refused in words, and not kept', async () => {
    answer = async () => new Response('x'.repeat(1_000_001));
    await expect(page(startWorker())(URL, refresh())).rejects.toThrow(
      'The response is larger than 1.0 MB, so it isn’t read.',
    );
    expect(await vault.get(PLACE)).toBeUndefined();
  });

  it('is sent by the worker, as the page would have sent it', async () => {
    const response = await page(startWorker())(URL, refresh());
    expect([response.status, await response.json()]).toEqual([200, { access_token: 'fresh-token' }]);
    expect(sent).toMatchObject([
      { method: 'POST', body: 'grant_type=refresh_token&refresh_token=refresh-1', redirect: 'error' },
    ]);
    expect(sent[0]?.headers).toEqual({ authorization: 'Basic c2VjcmV0' });
    expect(sentByPage).toBe(0);
  });

  it('that a page asks for again while it is under way is sent once', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async () => {
      await released;
      return Response.json({ access_token: 'fresh-token' });
    };
    const worker = startWorker();
    const both = Promise.all([page(worker)(URL, refresh()), page(worker)(URL, refresh())]);
    setTimeout(release, 20);
    for (const response of await both) expect(await response.json()).toEqual({ access_token: 'fresh-token' });
    expect(sent.length).toBe(1);
  });

  it('that was answered when no page was there is answered from the vault, by a worker that started anew', async () => {
    await page(startWorker())(URL, refresh());
    const response = await page(startWorker())(URL, refresh());
    expect(await response.json()).toEqual({ access_token: 'fresh-token' });
    expect(sent.length).toBe(1);
  });

  it('with another token is another one', async () => {
    const worker = startWorker();
    await page(worker)(URL, refresh());
    await page(worker)(URL, { ...refresh(), body: new URLSearchParams({ refresh_token: 'refresh-2' }) });
    expect(sent.length).toBe(2);
  });

  it('that the server refuses is not kept', async () => {
    answer = async () => Response.json({ error: 'invalid_grant' }, { status: 400 });
    expect((await page(startWorker())(URL, refresh())).status).toBe(400);
    expect(await vault.get(PLACE)).toBeUndefined();
  });

  it('is sent where nothing can be kept', async () => {
    const store = new MemoryStore();
    store.get = () => Promise.reject(new Error('refused'));
    store.write = () => Promise.reject(new Error('refused'));
    vault = new Vault(store);
    expect((await page(startWorker())(URL, refresh())).status).toBe(200);
  });

  it('that meets no network fails as a fetch does', async () => {
    answer = () => Promise.reject(new TypeError('no network'));
    await expect(page(startWorker())(URL, refresh())).rejects.toThrow(TypeError);
    expect(sentByPage).toBe(0);
  });

  it.each([
    ['there is no worker', async () => undefined],
    ['the worker does not know how', async () => ({ postMessage: () => undefined })],
  ])('is sent by the page if %s', async (_why, findWorker) => {
    await page(findWorker)(URL, refresh());
    expect([sentByPage, sent.length]).toEqual([1, 0]);
  });

  it('whose answer would be written elsewhere in the vault is not sent', async () => {
    await expect(page(startWorker(), 'oauth/server/tokens')(URL, refresh())).rejects.toThrow(TypeError);
    expect([sent.length, await vault.get('oauth/server/tokens')]).toEqual([0, undefined]);
  });

  it('is not sent over plain http, but on this machine', async () => {
    await expect(page(startWorker())('http://as.example/token', refresh())).rejects.toThrow(TypeError);
    expect(sent.length).toBe(0);
    await page(startWorker())('https://as.example/token', refresh());
    expect(sent.length).toBe(1);
  });
});
