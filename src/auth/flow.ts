/**
 * The parts of the authorization that need the SDK. Loaded when a server asks for it: the first paint does not.
 */
import {
  auth,
  computeScopeUnion,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  StreamableHTTPClientTransport,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { reason } from '../base/words.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { KeptTokens } from './authStore.ts';
import type { OAuthProvider } from './oauthProvider.ts';

export { createCarryFetch } from './carryFetch.ts';
export { computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset };

export interface Asked {
  readonly serverUrl: string;
  readonly fetch: Fetch;
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
}

/** Finds out anew who issues tokens for this server: the answer may have changed since the last login. */
export async function discover({
  serverUrl,
  fetch,
  resourceMetadataUrl,
}: Asked): Promise<OAuthDiscoveryState> {
  const found = await discoverOAuthServerInfo(serverUrl, {
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
    fetchFn: fetch,
  });
  return { ...found, ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }) };
}

/** Prepares a login: registers the client where it must, and lets the provider know the address. */
export async function prepareLogin(provider: OAuthProvider, asked: Asked): Promise<URL> {
  const { serverUrl, fetch, scope, resourceMetadataUrl } = asked;
  await auth(provider, {
    serverUrl,
    fetchFn: fetch,
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
    // A refresh was tried before, or cannot help: it never widens a grant (RFC 6749, 6).
    forceReauthorization: true,
  });
  if (!provider.authorizationUrl) throw new Error('The authorization server named no address to log in at.');
  return provider.authorizationUrl;
}

/** Checks `iss`, reads an error as an error, and exchanges the code. */
export async function redeem(
  provider: OAuthProvider,
  serverUrl: string,
  parameters: URLSearchParams,
  fetch: Fetch,
): Promise<void> {
  await new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider, fetch }).finishAuth(
    parameters,
  );
}

export type Refreshed =
  | { readonly name: 'refreshed' }
  /** The grant is over: only a login helps. */
  | { readonly name: 'over'; readonly why: string }
  /** The server could not be asked, or could not answer. */
  | { readonly name: 'later'; readonly why: string };

/** `auth()` would start a login when the token endpoint is merely away for a moment; this tells the two apart. */
export async function refresh(provider: OAuthProvider, kept: KeptTokens, fetch: Fetch): Promise<Refreshed> {
  const discovery = await provider.discoveryState();
  const metadata = discovery?.authorizationServerMetadata;
  const issuer = metadata?.issuer ?? discovery?.authorizationServerUrl;
  const { refresh_token: refreshToken, issuer: grantedBy } = kept.tokens;
  if (!discovery || refreshToken === undefined || issuer === undefined || issuer !== grantedBy) {
    return { name: 'over', why: 'The token cannot be refreshed.' };
  }
  const client = await provider.clientInformation({ issuer });
  if (!client) return { name: 'over', why: 'The client that was registered is not known any more.' };
  const resource = discovery.resourceMetadata?.resource;
  try {
    const tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn: fetch,
    });
    const scope = tokens.scope ?? kept.tokens.scope;
    await provider.saveTokens({ ...tokens, ...(scope !== undefined && { scope }), issuer }, { issuer });
    return { name: 'refreshed' };
  } catch (error) {
    return { name: isFinal(error) ? 'over' : 'later', why: reason(error) };
  }
}

const MAY_PASS: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
];

function isFinal(error: unknown): boolean {
  return error instanceof OAuthError && !MAY_PASS.includes(error.code);
}
