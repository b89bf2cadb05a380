/** A small OAuth 2.1 authorization server: metadata, registration, PKCE, refresh with rotation, `iss`. */
import { ClientRegistry, type OAuthClient } from './clients.ts';
import { consentPage, errorPage } from './consentPage.ts';
import { authenticate } from './authenticate.ts';
import { TokenStore, type Grant, type TokenResponse } from './tokens.ts';

export const SCOPES = { basic: 'mcp:basic', big: 'mcp:big' } as const;
const KNOWN_SCOPES: readonly string[] = Object.values(SCOPES);

export const SHORT_TTL_MS = 5000;
const LONG_TTL_MS = 60 * 60 * 1000;

/** How the server presents itself. The standard lets clients meet all of these. */
export interface Shape {
  /** An issuer with a path has its metadata elsewhere (RFC 8414, 3.1; OpenID Connect Discovery, 4). */
  readonly issuerPath: '' | '/tenant';
  readonly discovery: 'oauth' | 'openid';
  readonly registers: boolean;
  readonly authMethods: readonly string[];
  /** Many servers do not name themselves in their answer (RFC 9207). */
  readonly sendsIss: boolean;
  /** What the metadata says of PKCE; the server demands S256 in any case. */
  readonly pkceMethods: readonly string[] | undefined;
  /** Some servers answer with a form instead of JSON. */
  readonly tokenFormat: 'json' | 'form';
}

export const USUAL_SHAPE: Shape = {
  issuerPath: '',
  discovery: 'oauth',
  registers: true,
  authMethods: ['none', 'client_secret_post', 'client_secret_basic'],
  sendsIss: true,
  pkceMethods: ['S256'],
  tokenFormat: 'json',
};

export class AuthorizationServer {
  shape: Shape = USUAL_SHAPE;
  readonly tokens: TokenStore;
  readonly clients = new ClientRegistry();
  /** Every token that is issued while this is set lives 5 s. */
  issuesShortTokens = false;
  /** Let every client in without asking. */
  approvesAll = false;
  /** Whatever is asked for, the person has no more rights than these. */
  grantable: readonly string[] = KNOWN_SCOPES;
  /** Resolves when the token endpoint may answer; what it does, it has done by then. */
  #held: { readonly until: Promise<void>; readonly release: () => void } | undefined;

  constructor(tokens = new TokenStore()) {
    this.tokens = tokens;
  }

  /** `undefined`: the path is not one of ours. */
  async fetch(request: Request): Promise<Response | undefined> {
    const { pathname, origin, searchParams } = new URL(request.url);
    if (request.method === 'GET' && pathname === metadataPath(this.shape)) {
      return Response.json(metadata(origin, this.shape));
    }
    switch (`${request.method} ${pathname}`) {
      case 'POST /oauth/register': {
        const { status, answer } = this.clients.register(await readJson(request));
        return Response.json(answer, { status });
      }
      case 'GET /oauth/authorize':
        return this.#authorize(searchParams, origin);
      case 'POST /oauth/authorize':
        return this.#authorize(await readForm(request), origin);
      case 'POST /oauth/token':
        return this.#answerWhenReleased(await this.#token(request, await readForm(request)));
      case 'POST /oauth/revoke': {
        const form = await readForm(request);
        if (!(await authenticate(request, form, this.clients))) return oauthError('invalid_client', 401);
        this.tokens.revoke(form.get('token') ?? '');
        return new Response(null, { status: 200 });
      }
      default:
        return undefined;
    }
  }

  holdTokens(): void {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { until, release };
  }

  releaseTokens(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  async #answerWhenReleased(answer: Response): Promise<Response> {
    await this.#held?.until;
    return answer;
  }

  issuer(origin: string): string {
    return `${origin}${this.shape.issuerPath}`;
  }

  async #authorize(parameters: URLSearchParams, origin: string): Promise<Response> {
    const client = await this.clients.find(parameters.get('client_id') ?? '');
    if (!client) return errorPage('Unknown client.');
    const redirectUri = parameters.get('redirect_uri') ?? '';
    if (!client.redirectUris.includes(redirectUri)) return errorPage("The redirect URI isn't registered.");
    const answer = (fields: Record<string, string>) =>
      redirect(redirectUri, parameters, {
        ...fields,
        ...(this.shape.sendsIss && { iss: this.issuer(origin) }),
      });
    const problem = findProblem(parameters, origin);
    if (problem) return answer(problem);
    const scopes = askedScopes(parameters);
    const decision = parameters.get('decision') ?? (this.approvesAll ? 'approve' : undefined);
    if (decision === undefined) return consentPage({ clientName: client.name, scopes, parameters });
    if (decision === 'deny') return answer({ error: 'access_denied' });
    const isShort = decision === 'approve-short' || this.issuesShortTokens;
    const code = this.tokens.createCode({
      clientId: client.id,
      redirectUri,
      challenge: parameters.get('code_challenge') ?? '',
      scopes: scopes.filter((scope) => this.grantable.includes(scope)),
      resource: parameters.get('resource') ?? '',
      accessTtlMs: isShort ? SHORT_TTL_MS : LONG_TTL_MS,
    });
    return answer({ code });
  }

  async #token(request: Request, form: URLSearchParams): Promise<Response> {
    const client = await authenticate(request, form, this.clients);
    if (!client) return oauthError('invalid_client', 401);
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.#redeem(form, client);
      case 'refresh_token': {
        const tokens = this.tokens.rotate(form.get('refresh_token') ?? '', client.id);
        return tokens ? this.#tokenAnswer(tokens) : oauthError('invalid_grant');
      }
      default:
        return oauthError('unsupported_grant_type');
    }
  }

  async #redeem(form: URLSearchParams, client: OAuthClient): Promise<Response> {
    const pending = this.tokens.takeCode(form.get('code') ?? '');
    const isMine = pending?.clientId === client.id && pending.redirectUri === form.get('redirect_uri');
    if (!pending || !isMine) return oauthError('invalid_grant');
    if ((await challengeOf(form.get('code_verifier') ?? '')) !== pending.challenge)
      return oauthError('invalid_grant');
    const { clientId, scopes, resource, accessTtlMs } = pending;
    const grant: Grant = { clientId, scopes, resource, accessTtlMs };
    return this.#tokenAnswer(this.tokens.issue(grant));
  }

  #tokenAnswer(tokens: TokenResponse): Response {
    const headers = { 'cache-control': 'no-store' };
    if (this.shape.tokenFormat === 'json') return Response.json(tokens, { headers });
    const fields = Object.entries(tokens).map(([name, value]) => [name, String(value)]);
    return new Response(new URLSearchParams(fields), { headers });
  }
}

function metadataPath({ issuerPath, discovery }: Shape): string {
  return discovery === 'openid'
    ? `${issuerPath}/.well-known/openid-configuration`
    : `/.well-known/oauth-authorization-server${issuerPath}`;
}

/** RFC 8414, with what MCP 2025-11-25 asks a client to look for. */
function metadata(origin: string, shape: Shape): object {
  const { issuerPath, discovery, registers, authMethods, sendsIss, pkceMethods } = shape;
  return {
    issuer: `${origin}${issuerPath}`,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    ...(registers && { registration_endpoint: `${origin}/oauth/register` }),
    revocation_endpoint: `${origin}/oauth/revoke`,
    scopes_supported: KNOWN_SCOPES,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    ...(pkceMethods && { code_challenge_methods_supported: pkceMethods }),
    token_endpoint_auth_methods_supported: authMethods,
    ...(sendsIss && { authorization_response_iss_parameter_supported: true }),
    client_id_metadata_document_supported: true,
    // What OpenID Connect Discovery requires beside.
    ...(discovery === 'openid' && {
      jwks_uri: `${origin}/oauth/jwks`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    }),
  };
}

function findProblem(parameters: URLSearchParams, origin: string): { error: string } | undefined {
  if (parameters.get('response_type') !== 'code') return { error: 'unsupported_response_type' };
  if (parameters.get('code_challenge_method') !== 'S256' || !parameters.get('code_challenge')) {
    return { error: 'invalid_request' };
  }
  // A token is for one resource (RFC 8707); MCP clients MUST name it.
  if (parameters.get('resource') !== `${origin}/mcp`) return { error: 'invalid_target' };
  return askedScopes(parameters).every((scope) => KNOWN_SCOPES.includes(scope))
    ? undefined
    : { error: 'invalid_scope' };
}

function askedScopes(parameters: URLSearchParams): string[] {
  const scopes = parameters.get('scope')?.split(' ').filter(Boolean) ?? [];
  return scopes.length > 0 ? scopes : [SCOPES.basic];
}

function redirect(to: string, asked: URLSearchParams, fields: Record<string, string>): Response {
  const location = new URL(to);
  const state = asked.get('state');
  if (state !== null) location.searchParams.set('state', state);
  for (const [name, value] of Object.entries(fields)) location.searchParams.set(name, value);
  return new Response(null, {
    status: 302,
    headers: { location: location.href, 'cache-control': 'no-store' },
  });
}

const oauthError = (error: string, status = 400) => Response.json({ error }, { status });

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const readForm = async (request: Request) => new URLSearchParams(await request.text());

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}
