import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { WireHolder } from '../playwright/wireHolder.ts';
import { bearerFor, bearerFromEnvironment } from './bearerSource.ts';
import { readClientCredentials } from './clientCredentials.ts';
import { algorithmFor, fetchAccessToken } from './fetchAccessToken.ts';

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = ({ privateKey }: { privateKey: KeyObject }): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Its protected resource and its authorization server in one: it knows a secret and a public key. */
class AuthServer {
  readonly asked: URLSearchParams[] = [];
  /** The tokens of the requests to the MCP server. */
  readonly tokens: string[] = [];
  lifetimeSeconds = 3600;
  #server: Server | undefined;

  get origin(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo | undefined)?.port}`;
  }

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      void (async () => {
        const form = new URLSearchParams(await text(request));
        const answer = this.#answer(request.url ?? '', form, request.headers.authorization);
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer.body));
      })();
    }).listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  #answer(path: string, form: URLSearchParams, authorization = ''): { status: number; body: object } {
    const { origin } = this;
    if (path.startsWith('/.well-known/oauth-protected-resource'))
      return { status: 200, body: { resource: `${origin}/mcp`, authorization_servers: [origin] } };
    if (path.startsWith('/.well-known/oauth-authorization-server')) {
      const methods = ['client_secret_basic', 'private_key_jwt'];
      return {
        status: 200,
        body: {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ['code'],
          grant_types_supported: ['client_credentials'],
          token_endpoint_auth_methods_supported: methods,
        },
      };
    }
    if (path === '/mcp') {
      this.tokens.push(authorization);
      return { status: 200, body: {} };
    }
    if (path !== '/token') return { status: 404, body: {} };
    this.asked.push(form);
    const isSecret = authorization === `Basic ${Buffer.from('robot:s3cret').toString('base64')}`;
    const isSigned = this.#isSigned(form.get('client_assertion') ?? '');
    if (form.get('grant_type') !== 'client_credentials' || (!isSecret && !isSigned))
      return { status: 401, body: { error: 'invalid_client' } };
    const access_token = `token-${this.asked.length}`;
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: this.lifetimeSeconds } };
  }

  #isSigned(assertion: string): boolean {
    const [head = '', body = '', signature = ''] = assertion.split('.');
    if (signature === '') return false;
    const key = { key: createPublicKey(EC.privateKey), dsaEncoding: 'ieee-p1363' as const };
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as { sub: string; iss: string };
    const isTrue = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
    return isTrue && claims.sub === 'robot' && claims.iss === 'robot';
  }
}

let server: AuthServer | undefined;
afterEach(() => server?.close());

describe('client credentials', () => {
  test('with a secret get a token, for the resource and the scope', async () => {
    server = await new AuthServer().start();
    const credentials = { clientId: 'robot', clientSecret: 's3cret', scope: 'reports' };
    const { token, issuer } = await fetchAccessToken(`${server.origin}/mcp`, credentials);
    expect({ token, issuer }).toEqual({ token: 'token-1', issuer: server.origin });
    expect(Object.fromEntries(server.asked[0] ?? [])).toMatchObject({
      grant_type: 'client_credentials',
      resource: `${server.origin}/mcp`,
      scope: 'reports',
    });
  });

  test('with a private key sign an assertion', async () => {
    server = await new AuthServer().start();
    const credentials = { clientId: 'robot', privateKey: pem(EC) };
    const { token } = await fetchAccessToken(`${server.origin}/mcp`, credentials);
    expect(token).toBe('token-1');
    expect(server.asked[0]?.get('client_assertion_type')).toContain('jwt-bearer');
  });

  test('that the server does not know are told so, without the secret', async () => {
    server = await new AuthServer().start();
    const wrong = { clientId: 'robot', clientSecret: 'wr0ng' };
    const failed = fetchAccessToken(`${server.origin}/mcp`, wrong);
    await expect(failed).rejects.toThrow(/^No access token for 127\.0\.0\.1:\d+ \(/);
    await expect(failed).rejects.not.toThrow(/wr0ng/);
  });

  test('go to no other authorization server than the one that is named', async () => {
    server = await new AuthServer().start();
    const pinned = { clientId: 'robot', clientSecret: 's3cret', issuer: 'https://auth.example.com' };
    await expect(fetchAccessToken(`${server.origin}/mcp`, pinned)).rejects.toThrow('No access token');
    expect(server.asked).toEqual([]);
  });

  test('are asked for again only when the token is about to expire', async () => {
    server = await new AuthServer().start();
    const bearer = bearerFor(`${server.origin}/mcp`, { clientId: 'robot', clientSecret: 's3cret' });
    expect([await bearer(), await bearer()]).toEqual(['token-1', 'token-1']);
    server.lifetimeSeconds = 5;
    const short = bearerFor(`${server.origin}/mcp`, { clientId: 'robot', clientSecret: 's3cret' });
    expect([await short(), await short()]).toEqual(['token-2', 'token-3']);
  });
});

describe('the environment', () => {
  const ID = { MCP_REPRISE_CLIENT_ID: 'robot' };

  test.each([
    [{}, undefined],
    [
      { ...ID, MCP_REPRISE_CLIENT_SECRET: 's' },
      { clientId: 'robot', clientSecret: 's' },
    ],
    [
      { ...ID, MCP_REPRISE_PRIVATE_KEY: 'a\\nb', MCP_REPRISE_SCOPE: 'x y' },
      { clientId: 'robot', privateKey: 'a\nb', scope: 'x y' },
    ],
  ])('%j', (env, expected) => {
    expect(readClientCredentials(env)).toEqual(expected);
  });

  test.each([ID, { ...ID, MCP_REPRISE_CLIENT_SECRET: 's', MCP_REPRISE_PRIVATE_KEY: 'k' }])(
    '%j is neither one nor the other',
    (env) => {
      expect(() => readClientCredentials(env)).toThrow('Set one of');
    },
  );

  test('a token in it is used as it is', async () => {
    expect(bearerFromEnvironment('http://a/mcp', {})).toBeUndefined();
    expect(await bearerFromEnvironment('http://a/mcp', { ...ID, MCP_REPRISE_BEARER: 't' })?.()).toBe('t');
  });
});

test('the algorithm is that of the key', () => {
  expect(algorithmFor(pem(EC))).toBe('ES256');
  expect(algorithmFor(pem(RSA))).toBe('RS256');
  expect(algorithmFor(EC.privateKey.export({ format: 'jwk' }) as Record<string, unknown>)).toBe('ES256');
});

describe('the wire of a page test', () => {
  const postTwice = async (clientCredentials: { clientId: string; clientSecret: string }) => {
    server = await new AuthServer().start();
    const holder = new WireHolder({ server: `${server.origin}/mcp`, clientCredentials }, 'chromium');
    try {
      const { wire } = await holder.start();
      const post = () => fetch(wire.urlOf('default') ?? '', { method: 'POST', body: '{}' });
      const answers = [await post(), await post()].map(async (one) => ({
        status: one.status,
        text: await one.text(),
      }));
      return { answers: await Promise.all(answers), notes: wire.recorder.notes, secrets: holder.secrets };
    } finally {
      await holder.close();
    }
  };

  test('adds one token for its client credentials, and knows it as a secret', async () => {
    const { secrets } = await postTwice({ clientId: 'robot', clientSecret: 's3cret' });
    expect(server?.tokens).toEqual(['Bearer token-1', 'Bearer token-1']);
    expect(secrets).toEqual(['s3cret', 'token-1']);
  });

  test('says that it got none, and sends nothing', async () => {
    const { answers, notes } = await postTwice({ clientId: 'robot', clientSecret: 'wr0ng' });
    expect(server?.tokens).toEqual([]);
    expect(answers[0]).toMatchObject({ status: 502, text: expect.stringContaining('No access token') });
    expect(notes[0]).toContain("can't log in");
    expect(JSON.stringify([answers, notes])).not.toContain('wr0ng');
  });
});
