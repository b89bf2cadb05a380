/** A client and its person, who sign in at an `oauth` target without a browser. */
import { createHash } from 'node:crypto';
import type { RunningTarget } from '../startTarget.ts';

export const REDIRECT_URI = 'http://localhost:4173/callback';
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-valid-0123456789';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly [field: string]: unknown;
}

export interface SignIn {
  readonly clientId?: string;
  readonly scope?: string;
  readonly decision?: 'approve' | 'approve-short' | 'deny';
  /** Laid over the parameters of the authorization request. */
  readonly parameters?: Record<string, string>;
  readonly verifier?: string;
}

export class OAuthBrowser {
  readonly #target: RunningTarget;
  #clientId = '';
  lastRedirect: URL | undefined;

  constructor(target: RunningTarget) {
    this.#target = target;
  }

  async register(metadata: object = {}): Promise<void> {
    const body = {
      client_name: 'Test',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      ...metadata,
    };
    const response = await fetch(`${this.#target.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    this.#clientId = ((await response.json()) as { client_id: string }).client_id;
  }

  async signIn({ verifier, ...options }: SignIn): Promise<Tokens> {
    return this.redeem(await this.authorize(options), verifier);
  }

  /** Opens the consent page, decides, and returns the code. */
  async authorize({ clientId, scope, decision = 'approve', parameters = {} }: SignIn): Promise<string> {
    if (clientId !== undefined) this.#clientId = clientId;
    if (this.#clientId === '') await this.register();
    const asked = this.#parameters({ ...(scope !== undefined && { scope }), ...parameters });
    asked.set('decision', decision);
    const decided = await fetch(`${this.#target.origin}/oauth/authorize`, {
      method: 'POST',
      body: asked,
      redirect: 'manual',
    });
    const location = decided.headers.get('location');
    if (location === null) throw new Error(await decided.text());
    this.lastRedirect = new URL(location);
    const code = this.lastRedirect.searchParams.get('code');
    if (code === null) throw new Error(this.lastRedirect.searchParams.get('error') ?? 'no code');
    return code;
  }

  /** What a browser sees at the authorization endpoint. */
  visit(parameters: Record<string, string>): Promise<Response> {
    const query = this.#parameters(parameters).toString();
    return fetch(`${this.#target.origin}/oauth/authorize?${query}`, { redirect: 'manual' });
  }

  redeem(code: string, verifier = VERIFIER): Promise<Tokens> {
    const grant = {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    };
    return this.#token(grant);
  }

  refresh(refreshToken: string): Promise<Tokens> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  async revoke(token: string, clientId = this.#clientId): Promise<number> {
    const body = new URLSearchParams({ client_id: clientId, token });
    return (await fetch(`${this.#target.origin}/oauth/revoke`, { method: 'POST', body })).status;
  }

  async #token(fields: Record<string, string>): Promise<Tokens> {
    const body = new URLSearchParams({ client_id: this.#clientId, ...fields });
    const response = await fetch(`${this.#target.origin}/oauth/token`, { method: 'POST', body });
    const answer = (await response.json()) as Tokens & { error?: string };
    if (!response.ok) throw new Error(answer.error);
    return answer;
  }

  #parameters(parameters: Record<string, string>): URLSearchParams {
    return new URLSearchParams({
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: REDIRECT_URI,
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
      resource: this.#target.url,
      state: 'state',
      ...parameters,
    });
  }
}
