import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, test } from 'vitest';
import type { AuthBody } from '../log/entry/entry.ts';
import { MemoryStore } from '../storage/memoryStore.ts';
import { Vault } from '../storage/vault.ts';
import { Redactor } from '../wire/redact.ts';
import { Authorizer } from './authorizer.ts';
import { AuthStore } from './authStore.ts';
import { mayAskBeforeLogin } from './beforeLogin.ts';
import { authenticateClient } from './clientAuthentication.ts';
import type { KnownClient } from './knownClient.ts';
import { whyNotTaken } from './pendingLogin.ts';
import { requireSecureUrl } from './webUrl.ts';
import { reasonText } from '../log/reasons/reasonText.ts';

const SERVER = 'https://mcp.example/mcp';
const ISSUER = 'https://as.example';
const PAGE = 'http://localhost:3/';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  registration_endpoint: `${ISSUER}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};

let store: AuthStore;
let now: number;
let steps: AuthBody[];
let asked: { url: string; method: string; body: string }[];
/** By URL; what is not here is 404. */
let answers: Record<string, object>;

const authorizer = (known: KnownClient = {}) =>
  new Authorizer({
    serverUrl: SERVER,
    store,
    known,
    redirectUrl: PAGE,
    async fetch(url, { method = 'GET', body } = {}) {
      const text = typeof body === 'string' ? body : '';
      asked.push({ url: String(url), method, body: text });
      if (String(url) === `${ISSUER}/register`) {
        return Response.json({ ...(JSON.parse(text) as object), client_id: 'new' }, { status: 201 });
      }
      const answer = answers[String(url)];
      return answer ? Response.json(answer) : new Response(null, { status: 404 });
    },
    findWorker: async () => undefined,
    locks: undefined,
    now: () => now,
    redactor: new Redactor(),
    record: (body) => steps.push(body),
  });

const refuse = (header?: string) =>
  new Response(null, {
    status: 401,
    ...(header !== undefined && { headers: { 'www-authenticate': header } }),
  });

beforeEach(() => {
  store = new AuthStore(new Vault(new MemoryStore()), SERVER);
  [now, steps, asked] = [1000, [], []];
  answers = {
    'https://mcp.example/.well-known/oauth-protected-resource/mcp': {
      resource: SERVER,
      authorization_servers: [ISSUER],
    },
    [`${ISSUER}/.well-known/oauth-authorization-server`]: METADATA,
  };
});

describe('before the click', () => {
  it('metadata is read, and nothing is sent', async () => {
    const auth = authorizer();
    expect(await auth.recover(refuse(), undefined)).toMatchObject({ name: 'login', ask: 'login' });
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it.each(['http://127.0.0.1:9/admin?now=1', 'https://router.local/x', 'https://elsewhere.example/metadata'])(
    'resource metadata at %s is not asked for, but its host is shown',
    async (url) => {
      const auth = authorizer();
      await auth.recover(refuse(`Bearer resource_metadata="${url}"`), undefined);
      expect(asked).toEqual([]);
      expect(await auth.plan()).toMatchObject({ name: 'metadata', host: new URL(url).host });
    },
  );

  it('a client ID is asked for where nothing can be registered', async () => {
    const { registration_endpoint: _, ...rest } = METADATA;
    answers[`${ISSUER}/.well-known/oauth-authorization-server`] = rest;
    const auth = authorizer();
    expect(await auth.recover(refuse(), undefined)).toMatchObject({ name: 'login', ask: 'client' });
    const known = authorizer({ clientId: 'mine' });
    expect(await known.recover(refuse(), undefined)).toMatchObject({ name: 'login', ask: 'login' });
    expect(await known.plan()).toMatchObject({
      clientId: 'mine',
      issuer: ISSUER,
      warnings: ['other-host', 'mix-up'],
    });
  });

  it('a server without metadata is logged in to at its default endpoints, which are named', async () => {
    answers = {};
    const auth = authorizer();
    expect(await auth.recover(refuse(), undefined)).toMatchObject({
      name: 'login',
      reason: { code: 'login-needed', how: 'no-metadata' },
    });
    expect(await auth.plan()).toMatchObject({ name: 'login', host: 'mcp.example', warnings: [] });
  });
});

describe('metadata that is refused has a reason with facts', () => {
  it.each([
    [
      'for another server',
      'https://mcp.example/.well-known/oauth-protected-resource/mcp',
      { resource: 'https://other.example/mcp', authorization_servers: [ISSUER] },
      { code: 'metadata-elsewhere', url: 'https://other.example/mcp', newUrl: SERVER },
    ],
    [
      'with a token endpoint over http',
      `${ISSUER}/.well-known/oauth-authorization-server`,
      { ...METADATA, token_endpoint: 'http://as.example/token' },
      { code: 'unsafe-url', how: 'http', name: 'token_endpoint', host: 'as.example' },
    ],
  ])('%s', async (_what, url, answer, because) => {
    answers[url] = answer;
    const auth = authorizer();
    expect(await auth.recover(refuse(), undefined)).toEqual({
      name: 'refused',
      reason: { code: 'metadata-rejected', because },
    });
  });
});

describe('the click', () => {
  const begin = async (agreed = { host: 'as.example' }, known: KnownClient = {}) => {
    const auth = authorizer(known);
    await auth.recover(refuse(), undefined);
    return auth.beginLogin('redirect', agreed);
  };
  const redirectOf = (url: URL) => url.searchParams.get('redirect_uri') ?? '';

  it('leads nowhere but to the host that was shown', async () => {
    await expect(begin({ host: 'other.example' })).rejects.toMatchObject({
      message: 'The login page has moved to as.example. Log in again to open it.',
      reason: { code: 'login-not-started', how: 'host-changed', host: 'as.example' },
    });
    expect(asked.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('gives an issuer that does not promise iss a redirect URL of its own', async () => {
    const url = await begin();
    expect(redirectOf(url)).toMatch(/^http:\/\/localhost:3\/\?as=[0-9a-f]{32}$/);
    expect(asked.at(-1)?.body).toContain(JSON.stringify([redirectOf(url)]));
  });

  it('takes the usual one where iss is promised, or the client is registered by hand', async () => {
    expect(redirectOf(await begin({ host: 'as.example' }, { clientId: 'mine' }))).toBe(PAGE);
    const iss = { ...METADATA, authorization_response_iss_parameter_supported: true };
    answers[`${ISSUER}/.well-known/oauth-authorization-server`] = iss;
    expect(redirectOf(await begin())).toBe(PAGE);
  });

  it('is recorded step by step: the callback before the token that it leads to', async () => {
    const iss = { ...METADATA, authorization_response_iss_parameter_supported: true };
    answers[`${ISSUER}/.well-known/oauth-authorization-server`] = iss;
    answers[`${ISSUER}/token`] = { access_token: 'at', token_type: 'Bearer' };
    const auth = authorizer();
    await auth.recover(refuse(), undefined);
    const url = await auth.beginLogin('redirect', { host: 'as.example' });
    const state = url.searchParams.get('state') ?? '';
    expect(await auth.finishLogin(new URLSearchParams({ code: 'c', state, iss: ISSUER }))).toBeUndefined();
    expect(steps.map(({ step }) => step).slice(-3)).toEqual(['login', 'callback', 'token']);
  });

  it('registers a client again that an earlier version registered with the usual one', async () => {
    const old = { client_id: 'old', redirect_uris: [PAGE] };
    await store.saveClient(ISSUER, old);
    expect((await begin()).searchParams.get('client_id')).toBe('new');
    await store.saveClient(ISSUER, old);
    const iss = { ...METADATA, authorization_response_iss_parameter_supported: true };
    answers[`${ISSUER}/.well-known/oauth-authorization-server`] = iss;
    expect((await begin()).searchParams.get('client_id')).toBe('old');
  });

  it('never takes a client ID to another issuer than the one that it was first used with', async () => {
    await begin({ host: 'as.example' }, { clientId: 'mine' });
    const other = 'https://other.example';
    answers['https://mcp.example/.well-known/oauth-protected-resource/mcp'] = {
      resource: SERVER,
      authorization_servers: [other],
    };
    const moved = { ...METADATA, issuer: other, authorization_endpoint: `${other}/authorize` };
    answers[`${other}/.well-known/oauth-authorization-server`] = moved;
    await store.saveClient(other, { client_id: 'old', redirect_uris: [PAGE] });
    const url = await begin({ host: 'other.example' }, { clientId: 'mine' });
    expect(url.searchParams.get('client_id')).toBe('new');
    expect(redirectOf(url)).toContain('?as=');
  });

  it('names the resource, with resource metadata and without', async () => {
    expect((await begin()).searchParams.get('resource')).toBe(SERVER);
    answers = {
      'https://mcp.example/.well-known/oauth-authorization-server': {
        ...METADATA,
        issuer: 'https://mcp.example',
      },
    };
    expect((await begin()).searchParams.get('resource')).toBe(SERVER);
  });

  it.each([undefined, [], ['plain']])('is refused where the PKCE methods are %j', async (methods) => {
    answers[`${ISSUER}/.well-known/oauth-authorization-server`] = {
      ...METADATA,
      code_challenge_methods_supported: methods,
    };
    await expect(begin()).rejects.toThrow('MCP requires PKCE');
    const agreed = { host: 'as.example', withoutPkce: true } as const;
    expect((await begin(agreed)).searchParams.get('code_challenge_method')).toBe('S256');
    expect(steps.at(-1)).toMatchObject({
      step: 'login',
      reason: { code: 'no-pkce', how: 'continued' },
    });
  });
});

describe('a response', () => {
  const login = { state: 's', verifier: 'v', startedAt: 0, redirectUrl: `${PAGE}?as=one` };
  const response = (text: string) => new URLSearchParams(text);

  it.each([
    ['to its own redirect URL is taken', 'state=s&code=c&as=one', 0, undefined],
    ['to that of another issuer is refused', 'state=s&code=c&as=two', 0, /mix-up/],
    ['to the usual one is refused', 'state=s&code=c', 0, /mix-up/],
    ['after 15 minutes is refused', 'state=s&code=c&as=one', 15 * 60_000 + 1, /15 minutes/],
    ['to another login is refused', 'state=t&code=c&as=one', 0, /doesn’t match any login/],
  ] as const)('%s', (_what, text, at, why) => {
    const refusal = whyNotTaken(login, response(text), at);
    if (why) expect(reasonText(refusal)).toMatch(why);
    else expect(refusal).toBeUndefined();
  });

  it('to a login that an earlier version began is taken', () => {
    expect(
      whyNotTaken({ state: 's', verifier: 'v', startedAt: 0 }, response('state=s&code=c'), 0),
    ).toBeUndefined();
  });
});

test.each([
  ['https://mcp.example', 'https://mcp.example/x', true],
  ['http://mcp.example', 'http://mcp.example/x', true],
  ['https://mcp.example', 'https://as.example', true],
  ['https://mcp.example', 'http://as.example', false],
  ['https://mcp.example', 'https://127.0.0.1', false],
  ['https://mcp.example', 'https://nas.local', false],
  ['http://localhost:1', 'http://localhost:2', true],
  ['http://192.168.1.2', 'http://192.168.1.3', true],
])('for %s, %s is asked before a click: %s', (server, target, expected) => {
  expect(mayAskBeforeLogin(new URL(server), new URL(target))).toBe(expected);
});

test('what goes into a Basic header is form-encoded first', () => {
  const headers = new Headers();
  authenticateClient(
    { client_id: 'a:b', client_secret: ': +%ü~' },
    undefined,
    headers,
    new URLSearchParams(),
  );
  expect(atob(headers.get('authorization')?.replace('Basic ', '') ?? '')).toBe('a%3Ab:%3A+%2B%25%C3%BC%7E');
});

test('a login page is opened over https, or over http on this machine', () => {
  for (const url of ['https://as.example', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1']) {
    expect(requireSecureUrl(new URL(url)).href).toBe(`${url}/`);
  }
  for (const url of ['http://as.example', 'http://192.168.1.2', 'javascript:alert(1)']) {
    expect(() => requireSecureUrl(new URL(url))).toThrow();
  }
});
