import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SHORT_TTL_MS } from './oauth/authorizationServer.ts';
import { TokenStore } from './oauth/tokens.ts';
import { OAuthBrowser, REDIRECT_URI } from './testing/oauthBrowser.ts';
import { RawClient } from './testing/rawClient.ts';
import { withTarget } from './testing/withTarget.ts';

async function authorized(scope?: string) {
  const target = await withTarget('oauth');
  const browser = new OAuthBrowser(target);
  const tokens = await browser.signIn({ ...(scope !== undefined && { scope }) });
  return { target, browser, tokens };
}

const clientWith = (url: string, token: string) =>
  RawClient.connect(url, { headers: { authorization: `Bearer ${token}` } });

describe('oauth: finding the way', () => {
  it('refuses without a token and says where the metadata and which scope is needed', async () => {
    const { url, origin } = await withTarget('oauth');
    const refused = await new RawClient(url).initialize();
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate');
    expect(challenge).toContain(`resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`);
    expect(challenge).toContain('scope="mcp:basic"');
  });

  it('describes the resource and its authorization server to a page', async () => {
    const { url, origin } = await withTarget('oauth');
    const headers = { origin: 'http://localhost:4173' };
    const resource = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`, { headers });
    expect(resource.headers.get('access-control-allow-origin')).toBe(headers.origin);
    expect(await resource.json()).toMatchObject({ resource: url, authorization_servers: [origin] });
    const server = await fetch(`${origin}/.well-known/oauth-authorization-server`, { headers });
    expect(await server.json()).toMatchObject({
      issuer: origin,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });
});

describe('oauth: signing in', () => {
  it('registers, asks a person, names itself in iss, and gives tokens that work', async () => {
    const { target, browser, tokens } = await authorized();
    expect(browser.lastRedirect?.searchParams.get('iss')).toBe(target.origin);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'mcp:basic', expires_in: 3600 });
    const client = await clientWith(target.url, tokens.access_token);
    expect(await client.request('ping')).toHaveProperty('result');
  });

  it('takes a client whose id is the address of its metadata', async () => {
    const target = await withTarget('oauth');
    const documents = createServer((_request, response) => response.end(JSON.stringify(document)));
    documents.listen(0, '127.0.0.1');
    onTestFinished(() => void documents.close());
    await once(documents, 'listening');
    const clientId = `http://127.0.0.1:${(documents.address() as AddressInfo).port}/client.json`;
    const document = { client_id: clientId, client_name: 'Page', redirect_uris: [REDIRECT_URI] };
    const browser = new OAuthBrowser(target);
    expect(await browser.signIn({ clientId })).toHaveProperty('access_token');
    document.client_id = 'http://127.0.0.1/another.json';
    await expect(browser.signIn({ clientId })).rejects.toThrow('Unknown client.');
  });

  it('shows a page with the choices, and says so when a person refuses', async () => {
    const browser = new OAuthBrowser(await withTarget('oauth'));
    await browser.register();
    const page = await browser.visit({});
    expect(await page.text()).toMatch(/Approve<.*Approve for 5 seconds<.*Deny</s);
    await expect(browser.signIn({ decision: 'deny' })).rejects.toThrow('access_denied');
    expect(browser.lastRedirect?.searchParams.get('iss')).toBeTruthy();
  });

  it('needs no person after approve-all', async () => {
    const target = await withTarget('oauth');
    await target.control('approve-all');
    const browser = new OAuthBrowser(target);
    await browser.register();
    expect((await browser.visit({})).status).toBe(302);
  });

  it.each([
    [{ resource: 'http://127.0.0.1:1/mcp' }, 'invalid_target'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
  ])('refuses %j with %s', async (parameters, error) => {
    const browser = new OAuthBrowser(await withTarget('oauth'));
    await expect(browser.signIn({ parameters })).rejects.toThrow(error);
  });

  it('never redirects to an address that is not registered', async () => {
    const browser = new OAuthBrowser(await withTarget('oauth'));
    await browser.register();
    const page = await browser.visit({ redirect_uri: 'http://localhost:1/elsewhere' });
    expect(page.status).toBe(400);
    expect(page.headers.has('location')).toBe(false);
  });

  it('wants the verifier of the challenge, and takes a code once', async () => {
    const browser = new OAuthBrowser(await withTarget('oauth'));
    await expect(
      browser.signIn({ verifier: 'another-verifier-of-sufficient-length-0123456789' }),
    ).rejects.toThrow('invalid_grant');
    const code = await browser.authorize({});
    expect(await browser.redeem(code)).toHaveProperty('access_token');
    await expect(browser.redeem(code)).rejects.toThrow('invalid_grant');
  });

  it('wants the secret of a client that has one', async () => {
    const browser = new OAuthBrowser(await withTarget('oauth'));
    await browser.register({ token_endpoint_auth_method: 'client_secret_post' });
    const code = await browser.authorize({});
    await expect(browser.redeem(code)).rejects.toThrow('invalid_client');
  });
});

describe('oauth: tokens', () => {
  it('rotates refresh tokens, and a second use ends the family', async () => {
    const { target, browser, tokens } = await authorized();
    const second = await browser.refresh(tokens.refresh_token);
    expect(second.refresh_token).not.toBe(tokens.refresh_token);
    await expect(browser.refresh(tokens.refresh_token)).rejects.toThrow('invalid_grant');
    await expect(browser.refresh(second.refresh_token)).rejects.toThrow('invalid_grant');
    await expect(clientWith(target.url, second.access_token)).rejects.toThrow('401');
  });

  it('gives tokens of 5 s when asked to, by control or by the person', async () => {
    const { target, browser } = await authorized();
    expect(await browser.signIn({ decision: 'approve-short' })).toMatchObject({ expires_in: 5 });
    await target.control('short-tokens');
    const short = await browser.signIn({});
    expect(short).toMatchObject({ expires_in: 5 });
    await target.control('long-tokens');
    expect(await browser.signIn({})).toMatchObject({ expires_in: 3600 });
    expect(await browser.refresh(short.refresh_token)).toMatchObject({ expires_in: 5 });
  });

  it('tells an expired token from a missing one', async () => {
    const { target, tokens } = await authorized();
    const client = await clientWith(target.url, tokens.access_token);
    await target.control('expire-tokens');
    const refused = await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('lets them expire on the clock', () => {
    let now = 0;
    const store = new TokenStore(() => now);
    const grant = { clientId: 'c', scopes: [], resource: 'r', accessTtlMs: SHORT_TTL_MS };
    const { access_token } = store.issue(grant);
    expect(store.check(access_token).kind).toBe('valid');
    now = SHORT_TTL_MS;
    expect(store.check(access_token).kind).toBe('expired');
  });

  it('asks for one scope more for the tool big (step-up), and is content with it', async () => {
    const { target, browser, tokens } = await authorized();
    const client = await clientWith(target.url, tokens.access_token);
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'big', arguments: { bytes: 10 } },
    };
    const refused = await client.post(call);
    expect(refused.status).toBe(403);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    expect(challenge).toContain('error="insufficient_scope"');
    const scope = /scope="([^"]*)"/.exec(challenge)?.[1] ?? '';
    expect(scope).toBe('mcp:big');
    const more = await browser.signIn({ scope: `mcp:basic ${scope}` });
    client.extraHeaders['authorization'] = `Bearer ${more.access_token}`;
    expect((await client.post(call)).status).toBe(200);
  });

  it('survive a restart of the server, but not a reset', async () => {
    const { target, tokens } = await authorized();
    await target.control('restart');
    const client = await clientWith(target.url, tokens.access_token);
    expect(await client.request('ping')).toHaveProperty('result');
    await target.control('reset');
    await expect(clientWith(target.url, tokens.access_token)).rejects.toThrow('401');
  });

  it('can be revoked', async () => {
    const { target, browser, tokens } = await authorized();
    expect(await browser.revoke(tokens.refresh_token, 'another')).toBe(401);
    expect(await browser.revoke(tokens.refresh_token)).toBe(200);
    await expect(clientWith(target.url, tokens.access_token)).rejects.toThrow('401');
  });
});
