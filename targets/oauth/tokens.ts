/** Codes and tokens of the target's authorization server, in memory. */
export interface Grant {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly accessTtlMs: number;
}

export interface PendingCode extends Grant {
  readonly redirectUri: string;
  readonly challenge: string;
}

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

export type Access =
  | { readonly kind: 'valid'; readonly grant: Grant }
  | { readonly kind: 'expired' | 'unknown' };

interface Issued<T> {
  readonly value: T;
  readonly expiresAt: number;
}

interface RefreshToken {
  readonly grant: Grant;
  /** All tokens that descend from one authorization; a stolen one brings down the family. */
  readonly family: string;
  used: boolean;
}

const CODE_TTL_MS = 60_000;

export class TokenStore {
  /** A JWT tells a person who debugs what is in it; a client must not rely on that. */
  format: 'opaque' | 'jwt' = 'opaque';
  readonly #now: () => number;
  readonly #codes = new Map<string, Issued<PendingCode>>();
  readonly #access = new Map<string, Issued<{ grant: Grant; family: string }>>();
  readonly #refresh = new Map<string, RefreshToken>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  createCode(pending: PendingCode): string {
    const code = secret();
    this.#codes.set(code, { value: pending, expiresAt: this.#now() + CODE_TTL_MS });
    return code;
  }

  /** A code works once, whatever the outcome. */
  takeCode(code: string): PendingCode | undefined {
    const found = this.#codes.get(code);
    this.#codes.delete(code);
    return found && found.expiresAt > this.#now() ? found.value : undefined;
  }

  issue(grant: Grant, family = secret()): TokenResponse {
    const accessToken = this.format === 'jwt' ? unsignedJwt(grant) : secret();
    const refreshToken = secret();
    this.#access.set(accessToken, { value: { grant, family }, expiresAt: this.#now() + grant.accessTtlMs });
    this.#refresh.set(refreshToken, { grant, family, used: false });
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: Math.floor(grant.accessTtlMs / 1000),
      refresh_token: refreshToken,
      scope: grant.scopes.join(' '),
    };
  }

  /** Rotation: a refresh token works once; its second use ends the whole family (RFC 9700, 4.14.2). */
  rotate(refreshToken: string, clientId: string): TokenResponse | undefined {
    const found = this.#refresh.get(refreshToken);
    if (!found || found.grant.clientId !== clientId) return undefined;
    if (found.used) {
      this.#revokeFamily(found.family);
      return undefined;
    }
    found.used = true;
    return this.issue(found.grant, found.family);
  }

  check(accessToken: string): Access {
    const found = this.#access.get(accessToken);
    if (!found) return { kind: 'unknown' };
    return found.expiresAt > this.#now() ? { kind: 'valid', grant: found.value.grant } : { kind: 'expired' };
  }

  revoke(token: string): void {
    const family = this.#refresh.get(token)?.family ?? this.#access.get(token)?.value.family;
    if (family !== undefined) this.#revokeFamily(family);
  }

  /** Access tokens stop working; refresh tokens go on. */
  expireAccess(): void {
    for (const [token, { value }] of this.#access) this.#access.set(token, { value, expiresAt: 0 });
  }

  clear(): void {
    this.#codes.clear();
    this.#access.clear();
    this.#refresh.clear();
  }

  #revokeFamily(family: string): void {
    for (const [token, issued] of this.#access)
      if (issued.value.family === family) this.#access.delete(token);
    for (const [token, issued] of this.#refresh) if (issued.family === family) this.#refresh.delete(token);
  }
}

function secret(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '');
}

/** Checked like any other: by looking it up. What stands in the place of the signature makes it unique. */
function unsignedJwt({ clientId, scopes, resource }: Grant): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
  const claims = { sub: 'someone', aud: resource, client_id: clientId, scope: scopes.join(' ') };
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${secret()}`;
}
