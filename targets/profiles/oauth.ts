/**
 * Asks for a token, from an authorization server of its own on the same port (MCP 2025-11-25, "Authorization"): RFC 9728
 * and 8414 metadata, dynamic registration and client id metadata documents, PKCE, rotated refresh tokens, `iss`
 * (RFC 9207), and a tool, `big`, that needs one scope more.
 */
import { AuthorizationServer, SCOPES, USUAL_SHAPE, type Shape } from '../oauth/authorizationServer.ts';
import { guard, resourceMetadata } from '../oauth/guard.ts';
import type { Profile } from './profile.ts';

export const oauth: Profile = {
  name: 'oauth',
  summary: 'requires OAuth: metadata, registration, PKCE, refresh, step-up scopes',
  options: () => ({}),
  service: () => {
    const server = new AuthorizationServer();
    const bend = (change: Partial<Shape>) => void (server.shape = { ...server.shape, ...change });
    return {
      guard: (request) => guard(request, server),
      fetch: async (request) => resourceMetadata(request, server) ?? server.fetch(request),
      actions: {
        'short-tokens': () => void (server.issuesShortTokens = true),
        'long-tokens': () => void (server.issuesShortTokens = false),
        'expire-tokens': () => server.tokens.expireAccess(),
        'revoke-tokens': () => server.tokens.clear(),
        'approve-all': () => void (server.approvesAll = true),
        'ask-again': () => void (server.approvesAll = false),
        'path-issuer': () => bend({ issuerPath: '/tenant' }),
        openid: () => bend({ issuerPath: '/tenant', discovery: 'openid' }),
        'no-registration': () => bend({ registers: false }),
        'secret-post': () => bend({ authMethods: ['client_secret_post'] }),
        'secret-basic': () => bend({ authMethods: ['client_secret_basic'] }),
        'odd-secrets': () => void (server.clients.secretSuffix = ':+% ü&='),
        'no-iss': () => bend({ sendsIss: false }),
        'no-pkce': () => bend({ pkceMethods: undefined }),
        'plain-pkce': () => bend({ pkceMethods: ['plain'] }),
        'form-tokens': () => bend({ tokenFormat: 'form' }),
        'no-more-rights': () => void (server.grantable = [SCOPES.basic]),
        'all-rights': () => void (server.grantable = Object.values(SCOPES)),
        'hold-tokens': () => server.holdTokens(),
        'release-tokens': () => server.releaseTokens(),
        'jwt-tokens': () => void (server.tokens.format = 'jwt'),
        reset: () => {
          server.shape = USUAL_SHAPE;
          server.tokens.format = 'opaque';
          server.tokens.clear();
          server.clients.clear();
          server.clients.secretSuffix = '';
          server.issuesShortTokens = false;
          server.approvesAll = false;
          server.grantable = Object.values(SCOPES);
          server.releaseTokens();
        },
      },
    };
  },
};
