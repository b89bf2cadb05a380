import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthBody } from '../log/entry/entry.ts';
import { MemoryStore } from '../storage/memoryStore.ts';
import { Vault } from '../storage/vault.ts';
import { Redactor } from '../wire/redact.ts';
import { createAuthFetch } from './authFetch.ts';
import { Authorizer } from './authorizer.ts';
import { AuthStore } from './authStore.ts';
import type { Blocked } from './login.ts';

const SERVER = 'http://localhost:1/mcp';
const ISSUER = 'http://localhost:2';
const DISCOVERY = {
  authorizationServerUrl: ISSUER,
  authorizationServerMetadata: {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    response_types_supported: ['code'],
  },
};

let store: AuthStore;
let steps: AuthBody[];
let tokenAnswer: () => Response;
let tokenRequests: number;

const fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  if (String(url) === `${ISSUER}/token`) {
    tokenRequests += 1;
    return tokenAnswer();
  }
  const { authorization } = Object.fromEntries(new Headers(init.headers));
  return new Response(null, { status: authorization === 'Bearer fresh-token' ? 200 : 401 });
};

const authorizer = () =>
  new Authorizer({
    serverUrl: SERVER,
    store,
    known: {},
    redirectUrl: 'http://localhost:3/',
    fetch,
    findWorker: async () => undefined,
    locks: undefined,
    now: () => 1000,
    redactor: new Redactor(),
    record: (body) => steps.push(body),
  });

const refusals: (Blocked | undefined)[] = [];
const request = (auth: Authorizer) =>
  createAuthFetch(fetch, auth, (blocked) => refusals.push(blocked))(SERVER, {
    headers: { authorization: 'Bearer stale-token' },
  });

beforeEach(async () => {
  store = new AuthStore(new Vault(new MemoryStore()), SERVER);
  steps = [];
  refusals.length = 0;
  tokenRequests = 0;
  tokenAnswer = () => Response.json({ access_token: 'fresh-token', token_type: 'Bearer' });
  await store.saveDiscovery(DISCOVERY);
  await store.saveClient(ISSUER, { client_id: 'client' });
  await store.saveTokens({
    tokens: { access_token: 'stale-token', token_type: 'Bearer', refresh_token: 'refresh-1', issuer: ISSUER },
    savedAt: 0,
  });
});

describe('a refused request', () => {
  it('is sent again with a refreshed token', async () => {
    expect((await request(authorizer())).status).toBe(200);
    expect(tokenRequests).toBe(1);
    expect((await store.tokens())?.tokens).toMatchObject({
      access_token: 'fresh-token',
      refresh_token: 'refresh-1',
    });
  });

  it('is sent again without a refresh if another tab has refreshed meanwhile', async () => {
    await store.saveTokens({
      tokens: { access_token: 'fresh-token', token_type: 'Bearer', issuer: ISSUER },
      savedAt: 0,
    });
    expect((await request(authorizer())).status).toBe(200);
    expect(tokenRequests).toBe(0);
  });

  it('costs no login when the token endpoint is away for a moment', async () => {
    tokenAnswer = () => new Response('away', { status: 503 });
    expect((await request(authorizer())).status).toBe(401);
    expect(refusals).toEqual([undefined]);
    expect((await store.tokens())?.tokens.refresh_token).toBe('refresh-1');
  });

  it('never shows a refresh token to an issuer that did not give it', async () => {
    await store.saveClient('http://localhost:9', { client_id: 'another client' });
    await store.saveDiscovery({
      ...DISCOVERY,
      authorizationServerMetadata: {
        ...DISCOVERY.authorizationServerMetadata,
        issuer: 'http://localhost:9',
        token_endpoint: `${ISSUER}/token`,
      },
    });
    await request(authorizer());
    expect(tokenRequests).toBe(0);
  });

  it('is recorded without its secrets', async () => {
    await request(authorizer());
    const text = JSON.stringify(steps);
    expect(steps.map(({ step }) => step)).toEqual(['challenge', 'refresh']);
    for (const secret of ['stale-token', 'fresh-token', 'refresh-1']) expect(text).not.toContain(secret);
  });
});

describe('what is kept', () => {
  it('belongs to one server', async () => {
    const vault = new Vault(new MemoryStore());
    await new AuthStore(vault, SERVER).saveClient(ISSUER, { client_id: 'client' });
    expect(await new AuthStore(vault, `${SERVER}/other`).client(ISSUER)).toBeUndefined();
  });

  it('is known to one issuer', async () => {
    expect(await store.client('http://localhost:9')).toBeUndefined();
  });

  it('is no challenge any more once there are new tokens', async () => {
    await store.saveChallenge({ reason: { code: 'login-needed', how: 'over' }, ask: 'login' });
    expect(await authorizer().needsLogin()).toBe(true);
    await store.saveTokens({ tokens: { access_token: 'fresh-token', token_type: 'Bearer' }, savedAt: 0 });
    expect(await authorizer().needsLogin()).toBe(false);
  });

  it('is gone when the server is forgotten', async () => {
    await store.forgetAll();
    expect(await store.tokens()).toBeUndefined();
    expect(await store.client(ISSUER)).toBeUndefined();
    expect(await store.discovery()).toBeUndefined();
  });
});
