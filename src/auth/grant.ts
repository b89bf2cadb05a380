/** What there is of a login: described without its secrets, ended here, ended at the server. */
import { isObject, stringField } from '../base/json.ts';
import { loadPart } from '../base/loadPart.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { AuthStore } from './authStore.ts';

export interface GrantInfo {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly expiresAt?: number;
  readonly isRefreshable: boolean;
  /** What the token says, if it is a JWT. Not verified: that is the server's business. */
  readonly claims?: object;
}

export async function describeGrant(store: AuthStore): Promise<GrantInfo | undefined> {
  const kept = await store.tokens();
  if (!kept) return undefined;
  const { tokens, expiresAt } = kept;
  const issuer = tokens.issuer ?? '';
  const claims = decodeClaims(tokens.access_token);
  return {
    issuer,
    clientId: (await store.client(issuer))?.client_id ?? '',
    scope: tokens.scope ?? '',
    isRefreshable: tokens.refresh_token !== undefined,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(claims && { claims }),
  };
}

/** The token is treated as if its time were over: the next request renews it. */
export async function expireLocally(store: AuthStore, now: number): Promise<void> {
  const kept = await store.tokens();
  if (kept) await store.saveTokens({ ...kept, expiresAt: now });
}

/** Ends the grant at the server where it offers that (RFC 7009), and here in any case. */
export async function endGrant(store: AuthStore, fetch: Fetch): Promise<void> {
  const kept = await store.tokens();
  await store.forgetTokens();
  const metadata = (await store.discovery())?.authorizationServerMetadata;
  const endpoint = stringField(metadata, 'revocation_endpoint');
  // A token is shown to nobody but the issuer that gave it.
  if (!kept || endpoint === undefined || metadata?.issuer !== kept.tokens.issuer) return;
  const client = await store.client(kept.tokens.issuer ?? '');
  const { refresh_token: refreshToken, access_token: accessToken } = kept.tokens;
  const body = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
  });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (client) {
    const { authenticateClient } = await loadPart(() => import('./clientAuthentication.ts'));
    authenticateClient(client, metadata, headers, body);
  }
  // Whether the server heard it or not, this page has let go of the token; the log shows the answer.
  await fetch(endpoint, { method: 'POST', body, headers, redirect: 'error' }).catch(() => undefined);
}

export function decodeClaims(token: string): object | undefined {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return undefined;
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
