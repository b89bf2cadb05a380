import { describe, expect, it, test } from 'vitest';
import { ReasonError } from '../log/reasons/reasonError.ts';
import { loginFailure, metadataTrouble } from './authWords.ts';
import { readCallback, withoutCallback } from './callback.ts';
import { expiresSoon } from './expiry.ts';
import { decodeClaims } from './grant.ts';
import { findProblem } from './standard.ts';
import { stepOf } from './stepFetch.ts';
import { requireWebUrl } from './webUrl.ts';
import { reasonText } from '../log/reasons/reasonText.ts';

const SERVER = 'https://mcp.example/mcp';

describe('a callback', () => {
  const page = 'https://app.example/tools/';

  it('is a code or an error, with a state', () => {
    expect(readCallback(new URL(`${page}?code=c&state=s`))?.state).toBe('s');
    expect(readCallback(new URL(`${page}?error=access_denied&state=s`))?.parameters.get('error')).toBe(
      'access_denied',
    );
  });

  it.each(['', '?code=c', '?state=s', '?error=e'])('is not “%s”', (query) => {
    expect(readCallback(new URL(page + query))).toBeUndefined();
  });

  it('leaves nothing of itself in the address', () => {
    const url = new URL(`${page}?keep=1&code=c&state=s&iss=i&error=e&error_description=d#part`);
    expect(withoutCallback(url)).toBe(`${page}?keep=1#part`);
  });
});

describe('a token is renewed', () => {
  const tokens = { access_token: 't', token_type: 'Bearer' };

  it('half a minute before its end', () => {
    const kept = { tokens, savedAt: 0, expiresAt: 3_600_000 };
    expect(expiresSoon(kept, 3_569_000)).toBe(false);
    expect(expiresSoon(kept, 3_571_000)).toBe(true);
  });

  it('after four fifths of a short life', () => {
    const kept = { tokens, savedAt: 0, expiresAt: 5000 };
    expect(expiresSoon(kept, 3900)).toBe(false);
    expect(expiresSoon(kept, 4100)).toBe(true);
  });

  it('never by the clock, if the server does not say when it ends', () => {
    expect(expiresSoon({ tokens, savedAt: 0 }, 1e15)).toBe(false);
  });
});

describe('the claims of a token', () => {
  it('are read from a JWT, accents and all', () => {
    const payload = Buffer.from(JSON.stringify({ sub: 'Zoë' })).toString('base64url');
    expect(decodeClaims(`e30.${payload}.x`)).toEqual({ sub: 'Zoë' });
  });

  it.each(['opaque', 'a.b', 'a.%%%.c', 'e30.W10.x'])('are none in “%s”', (token) => {
    expect(decodeClaims(token)).toBeUndefined();
  });
});

test.each([
  ['resource', 'GET', '/.well-known/oauth-protected-resource/mcp', {}],
  ['resource', 'GET', '/where-the-challenge-says', {}],
  ['issuer', 'GET', '/.well-known/oauth-authorization-server', {}],
  ['issuer', 'GET', '/tenant/.well-known/openid-configuration', {}],
  ['registration', 'POST', '/register', { client_name: 'Reprise' }],
  ['token', 'POST', '/token', { grant_type: 'authorization_code' }],
  ['refresh', 'POST', '/token', { grant_type: 'refresh_token' }],
  ['logout', 'POST', '/revoke', { token: 't' }],
] as const)('%s is told by %s %s', (step, method, path, sent) => {
  expect(stepOf(new URL(path, SERVER), method, sent)).toBe(step);
});

describe('what is wrong with an answer', () => {
  const resource = { resource: SERVER, authorization_servers: ['https://as.example'] };
  const issuer = {
    issuer: 'https://as.example',
    authorization_endpoint: 'https://as.example/authorize',
    token_endpoint: 'https://as.example/token',
    code_challenge_methods_supported: ['S256'],
  };

  it.each([
    ['nothing, if it is as the standard asks', 'resource', 200, resource, undefined],
    ['nothing, if the metadata is merely in another place', 'issuer', 404, {}, undefined],
    ['another resource', 'resource', 200, { ...resource, resource: 'https://other.example' }, /not https/],
    ['no authorization server', 'resource', 200, { resource: SERVER }, /lists no authorization server/],
    ['no endpoints', 'issuer', 200, { issuer: 'x' }, /missing authorization_endpoint, token_endpoint/],
    [
      'PKCE without S256',
      'issuer',
      200,
      { ...issuer, code_challenge_methods_supported: ['plain'] },
      /with S256/,
    ],
    ['a refusal', 'token', 400, { error: 'invalid_grant' }, /400: invalid_grant/],
    ['no token', 'token', 200, {}, /no access_token/],
    ['no client id', 'registration', 201, {}, /no client_id/],
  ] as const)('%s', (_what, step, status, answer, problem) => {
    const found = findProblem(step, status, answer, SERVER);
    if (problem) expect(reasonText(found)).toMatch(problem);
    else expect(found).toBeUndefined();
  });
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///x', 'blob:https://a/b', 'vbscript:x'])(
  '%s is refused as an address',
  (address) => {
    expect(() => requireWebUrl(new URL(address))).toThrow('Only http and https are allowed');
  },
);

describe('a login that failed', () => {
  const answer = new URLSearchParams('error=access_denied&error_description=Not%20you');

  it('is told by the words of the server, where they are what went wrong', () => {
    const failure = loginFailure(new Error('Not you'), answer);
    expect(failure).toEqual({
      code: 'login-failed',
      how: 'server-error',
      name: 'access_denied',
      text: 'Not you',
    });
    expect(reasonText(failure)).toBe('Login failed: the server returned “access_denied” (Not you).');
  });

  it('is told by the reason of this page, or else by the words of a library', () => {
    const because = { code: 'client-secret-needed' } as const;
    expect(loginFailure(new ReasonError(because), answer)).toMatchObject({ how: 'refused', because });
    expect(loginFailure(new Error('no iss'), answer)).toMatchObject({ how: 'refused', text: 'no iss' });
  });
});

describe('metadata that cannot be used', () => {
  it('is told by the fields that a schema refuses', () => {
    const error = { issues: [{ path: ['token_endpoint'], message: 'no such scheme' }] };
    expect(metadataTrouble(error)).toBe('token_endpoint: no such scheme');
  });

  it('is told by the error, if that is all there is', () => {
    expect(metadataTrouble(new Error('HTTP 500'))).toBe('HTTP 500');
  });
});
