import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { BRIDGE_RESOURCE_HEADER } from '../base/bridgeContract.ts';
import type { AuthBody } from '../log/entry/entry.ts';
import { MemoryStore } from '../storage/memoryStore.ts';
import { Vault } from '../storage/vault.ts';
import { Redactor } from '../wire/redact.ts';
import { Authorizer } from './authorizer.ts';
import { AuthStore } from './authStore.ts';

const BRIDGED = 'http://localhost:4778/mcp/docs-12345678';
const BRIDGE_PAGE = 'http://localhost:4778/';
const METADATA_URL = `${BRIDGED}/oauth-protected-resource?token=t`;
const SERVER = 'https://docs.example/mcp';
const ISSUER = 'https://as.example';

let store: AuthStore;
let steps: AuthBody[];
let sentToIssuer: URLSearchParams[];
/** The bridge's copy of the metadata; missing for a server of 2025-03-26. */
let metadata: object | undefined;

const named = { headers: { [BRIDGE_RESOURCE_HEADER]: SERVER } };

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
});

function answer(url: URL, body: string): Response {
  if (url.href === METADATA_URL) {
    return metadata ? Response.json(metadata, named) : new Response(null, { status: 404, ...named });
  }
  switch (url.pathname) {
    case '/.well-known/oauth-authorization-server':
      return Response.json(metadataOf(url.origin));
    case '/register':
      return Response.json({ ...(JSON.parse(body) as object), client_id: 'new' }, { status: 201 });
    case '/token':
      sentToIssuer.push(new URLSearchParams(body));
      return Response.json({ access_token: 'a', refresh_token: 'r', token_type: 'Bearer' });
    default:
      return new Response(null, { status: 404 });
  }
}

const textOf = (body: unknown): string =>
  typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : '';

const authorizer = (pageUrl = BRIDGE_PAGE) =>
  new Authorizer({
    serverUrl: BRIDGED,
    store,
    known: {},
    redirectUrl: pageUrl,
    fetch: async (url, { body } = {}) => answer(new URL(url), textOf(body)),
    findWorker: async () => undefined,
    locks: undefined,
    now: () => 1000,
    redactor: new Redactor(),
    record: (body) => steps.push(body),
  });

const refusal = () =>
  new Response(null, {
    status: 401,
    headers: { ...named.headers, 'www-authenticate': `Bearer resource_metadata="${METADATA_URL}"` },
  });

/** Logs in, and renews the token. Returns what the login page was asked with. */
async function logIn(auth: Authorizer, host: string): Promise<URLSearchParams> {
  const { searchParams } = await auth.beginLogin('redirect', { host });
  const response = { code: 'code', state: searchParams.get('state') ?? '', iss: `https://${host}` };
  const problem = await authorizer().finishLogin(
    new URLSearchParams({ ...response, ...fixedIssuer(searchParams) }),
  );
  expect(problem).toBeUndefined();
  expect(await authorizer().refreshNow()).toBe(true);
  return searchParams;
}

/** A redirect URL may have a parameter for the issuer, which comes back with the response. */
const fixedIssuer = (asked: URLSearchParams) =>
  Object.fromEntries(new URL(asked.get('redirect_uri') ?? '').searchParams);

beforeEach(() => {
  store = new AuthStore(new Vault(new MemoryStore()), BRIDGED);
  [steps, sentToIssuer] = [[], []];
  metadata = { resource: SERVER, authorization_servers: [ISSUER] };
});

describe('a login through the bridge that serves the page', () => {
  it('is for the server behind the bridge, and so are its tokens', async () => {
    const auth = authorizer();
    expect(await auth.recover(refusal(), undefined)).toMatchObject({ name: 'login', ask: 'login' });
    expect((await logIn(auth, 'as.example')).get('resource')).toBe(SERVER);
    expect(sentToIssuer.map((sent) => sent.get('resource'))).toEqual([SERVER, SERVER]);
    expect(steps.filter(({ reason }) => reason)).toEqual([]);
  });

  it('is at the server itself, if that has no metadata', async () => {
    metadata = undefined;
    const auth = authorizer();
    await auth.recover(refusal(), undefined);
    expect((await logIn(auth, 'docs.example')).get('resource')).toBe(SERVER);
    expect(sentToIssuer.map((sent) => sent.get('resource'))).toEqual([SERVER, SERVER]);
  });

  it('is rejected if the metadata is that of a third server', async () => {
    metadata = { resource: 'https://bank.example/mcp', authorization_servers: [ISSUER] };
    const auth = authorizer();
    expect(await auth.recover(refusal(), undefined)).toMatchObject({
      name: 'refused',
      reason: { code: 'metadata-rejected' },
    });
    expect(steps).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'metadata-elsewhere' }) as object }),
    );
  });
});

it('a server that another page serves gets no token of the server that it names', async () => {
  const auth = authorizer('https://reprise.example/');
  expect(await auth.recover(refusal(), undefined)).toMatchObject({
    name: 'refused',
    reason: { code: 'metadata-rejected' },
  });
});
