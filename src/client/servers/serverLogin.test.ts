import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { AuthStore } from '../../auth/authStore.ts';
import type { Clock } from '../../base/clock.ts';
import { Log } from '../../log/log.ts';
import { MemoryStore } from '../../storage/memoryStore.ts';
import { Vault } from '../../storage/vault.ts';
import type { ServerSettings } from '../settings/savedServer.ts';
import type { Command } from '../tabs/tabChannel.ts';
import { testEnvironment } from '../testing/testEnvironment.ts';
import { ServerLogin } from './serverLogin.ts';
import { restoreServer, type StoredServer } from './storedServer.ts';
import { ServerAccess } from './serverAccess.ts';

const SERVER = 'http://localhost:1/mcp';
const ISSUER = 'http://localhost:2';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  revocation_endpoint: `${ISSUER}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};
const clock: Clock = { now: () => 1000, after: () => () => undefined, random: () => 0 };

interface Given {
  readonly isWritten?: boolean;
  readonly settings?: ServerSettings;
}

/** The login of one server, at an authorization server that answers everything. */
async function setUp({ isWritten = true, settings = {} }: Given = {}) {
  const disk = new MemoryStore();
  const requests: string[] = [];
  const commands: Command[] = [];
  const order: string[] = [];
  const env = testEnvironment({
    store: disk,
    clock,
    fetch: async (url, init = {}) => {
      requests.push(`${init.method ?? 'GET'} ${String(url)}`);
      order.push(String(url));
      if (String(url).endsWith('/token'))
        return Response.json({ access_token: 'fresh', token_type: 'Bearer', refresh_token: 'refresh-2' });
      return new Response(null, { status: 200 });
    },
  });
  const record = { id: 's', name: 's', url: SERVER, ...settings };
  const { records, known } = await restoreServer(env, record);
  const access = new ServerAccess(env, record, records, known);
  const log = new Log('s', clock);
  const login = new ServerLogin(env, {
    access,
    log,
    stored: {
      isWritten,
      flushed: () => Promise.resolve(void order.push('flushed')),
    } as StoredServer['storedLog'],
    commands: {
      execute: (command) => {
        commands.push(command);
        order.push(command.name);
        return Promise.resolve(undefined);
      },
    },
  });
  const store = new AuthStore(new Vault(disk), SERVER);
  await store.saveDiscovery({ authorizationServerUrl: ISSUER, authorizationServerMetadata: METADATA });
  await store.saveClient(ISSUER, { client_id: 'client' });
  const inTab = new AuthStore(new Vault(disk), SERVER, new Vault(disk, access.tabLogin));
  return { login, store, inTab, log, commands, requests, order };
}

const tokens = (access_token = 'stale') => ({
  tokens: { access_token, token_type: 'Bearer', refresh_token: 'refresh-1', issuer: ISSUER, scope: 'read' },
  savedAt: 0,
});

describe('what there is of a login', () => {
  it('is told without its secrets', async () => {
    const { login, store } = await setUp();
    expect(await login.grant()).toBeUndefined();
    await store.saveTokens(tokens());
    expect(await login.grant()).toEqual({
      issuer: ISSUER,
      clientId: 'client',
      scope: 'read',
      isRefreshable: true,
    });
  });

  it('can be treated as expired, and is renewed on request', async () => {
    const { login, store, requests } = await setUp();
    await store.saveTokens(tokens());
    await login.expire();
    expect(await login.grant()).toMatchObject({ expiresAt: 1000 });
    expect(await login.refresh()).toBe(true);
    expect(requests).toEqual([`POST ${ISSUER}/token`]);
    expect((await store.tokens())?.tokens).toMatchObject({ access_token: 'fresh' });
  });

  it('is gone when it is forgotten, and the server is not asked', async () => {
    const { login, store, requests } = await setUp();
    await store.saveTokens(tokens());
    await login.forget();
    expect(await login.grant()).toBeUndefined();
    expect(requests).toEqual([]);
  });
});

describe('a login that is begun', () => {
  it('is stored before the user leaves for it', async () => {
    const { login, order } = await setUp();
    const url = await login.begin('redirect', { host: new URL(ISSUER).host });
    expect(url.href).toContain(`${ISSUER}/authorize`);
    expect(order.at(-1)).toBe('flushed');
    expect(await login.awaits(url.searchParams.get('state') ?? '')).toBe(true);
    expect(await login.awaits('another')).toBe(false);
  });

  it('goes on with the connection when it is finished', async () => {
    const { login, commands } = await setUp();
    const url = await login.begin('redirect', { host: new URL(ISSUER).host });
    const state = url.searchParams.get('state') ?? '';
    await login.finish(new URLSearchParams({ state, code: 'code', iss: ISSUER }));
    expect(commands).toEqual([{ name: 'authorized', reason: { code: 'logged-in' } }]);
    expect(await login.grant()).toMatchObject({ issuer: ISSUER });
    expect(await login.isNeeded()).toBe(false);
  });

  it('says why when the user was refused', async () => {
    const { login, commands } = await setUp();
    const url = await login.begin('redirect', { host: new URL(ISSUER).host });
    const state = url.searchParams.get('state') ?? '';
    await login.finish(new URLSearchParams({ state, error: 'access_denied', iss: ISSUER }));
    expect(commands).toMatchObject([
      { name: 'login-failed', reason: { code: expect.any(String) as string } },
    ]);
    expect(await login.grant()).toBeUndefined();
  });
});

describe('the user', () => {
  it('goes on without a login, and is not asked again for this', async () => {
    const { login, store, commands } = await setUp();
    await store.saveChallenge({ reason: { code: 'login-needed' }, ask: 'login' } as never);
    await login.decline();
    expect(await store.challenge()).toBeUndefined();
    expect(commands).toEqual([{ name: 'authorized', reason: { code: 'login-skipped' } }]);
  });

  it('logs out: first of the session, then of the server, then here', async () => {
    const { login, store, order } = await setUp();
    await store.saveTokens(tokens());
    await login.logOut();
    expect(order).toEqual(['disconnect', `${ISSUER}/revoke`]);
    expect(await login.grant()).toBeUndefined();
  });
});

describe('secrets that this tab alone keeps', () => {
  it('are found by its login, renewed in its place, and never on the disk', async () => {
    const { login, store, inTab } = await setUp({ settings: { keepSecrets: 'tab' } });
    await inTab.saveTokens(tokens());
    await inTab.saveClient(ISSUER, { client_id: 'own' });
    expect(await login.grant()).toMatchObject({ issuer: ISSUER, clientId: 'own' });
    expect(await login.refresh()).toBe(true);
    expect((await inTab.tokens())?.tokens).toMatchObject({ access_token: 'fresh' });
    expect(await store.tokens()).toBeUndefined();
    await login.forget();
    expect(await inTab.tokens()).toBeUndefined();
  });

  it('are not those of a login that every tab has', async () => {
    const { login, store } = await setUp({ settings: { keepSecrets: 'tab' } });
    await store.saveTokens(tokens());
    expect(await login.grant()).toBeUndefined();
  });
});

describe('what a login does on the wire', () => {
  it('is in the log of the tab that writes it', async () => {
    const { login, store, log, commands } = await setUp();
    await store.saveTokens(tokens());
    await login.refresh();
    expect(log.tail.map(({ kind }) => kind)).toContain('auth');
    expect(commands).toEqual([]);
  });

  it('is sent to that tab from any other', async () => {
    const { login, store, log, commands } = await setUp({ isWritten: false });
    await store.saveTokens(tokens());
    await login.refresh();
    expect(log.tail).toEqual([]);
    expect(commands.map(({ name }) => name)).toContain('record-auth');
  });
});
