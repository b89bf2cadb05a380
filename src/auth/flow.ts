/**
 * The parts of the authorization that need the SDK. Loaded when a server asks for it: the first paint does not.
 */
import '../base/withoutEval.ts';
import {
  auth,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  resourceUrlFromServerUrl,
  StreamableHTTPClientTransport,
  type OAuthDiscoveryState,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { ReasonError } from '../log/reasons/reasonError.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { KeptTokens } from './authStore.ts';
import { mayAskBeforeLogin } from './beforeLogin.ts';
import type { OAuthProvider } from './oauthProvider.ts';
import { requireSecureUrl } from './webUrl.ts';

export { createRelayFetch } from './relayFetch.ts';
export { computeScopeUnion, extractWWWAuthenticateParams, isStrictScopeSuperset };

export interface Asked {
  readonly serverUrl: string;
  readonly fetch: Fetch;
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
  /** Behind a bridge: the URL of the server itself. */
  readonly resource?: string;
}

/** `ask-first`: the rest is at a URL that the user has not agreed to. */
export type Found =
  | { readonly name: 'found'; readonly state: OAuthDiscoveryState }
  | { readonly name: 'ask-first'; readonly url: string };

/** Finds out anew who issues tokens for this server: the answer may have changed since the last login. */
export async function discover(
  { serverUrl, fetch, resourceMetadataUrl, resource }: Asked,
  consent: 'agreed' | 'not yet',
): Promise<Found> {
  const server = new URL(resource ?? serverUrl);
  const named = URL.parse(resourceMetadataUrl ?? '');
  const resourceUrl = named && /^https?:$/.test(named.protocol) ? named : undefined;
  if (consent === 'not yet' && resourceUrl && resourceUrl.origin !== new URL(serverUrl).origin) {
    return { name: 'ask-first', url: resourceUrl.href };
  }
  const read = await readResource(serverUrl, resourceUrl, fetch);
  // A refresh must name the server itself, too, and knows nothing else of it.
  const resourceMetadata = read ?? (resource === undefined ? undefined : { resource });
  const authorizationServerUrl = resourceMetadata?.authorization_servers?.[0] ?? new URL('/', server).href;
  if (consent === 'not yet' && !mayAskBeforeLogin(server, new URL(authorizationServerUrl))) {
    return { name: 'ask-first', url: authorizationServerUrl };
  }
  const metadata = await discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn: fetch });
  return {
    name: 'found',
    state: {
      authorizationServerUrl,
      ...(resourceUrl && { resourceMetadataUrl: resourceUrl.href }),
      ...(resourceMetadata && { resourceMetadata }),
      ...(metadata && { authorizationServerMetadata: metadata }),
    },
  };
}

/** A server without this document may be older than it (2025-03-26), and its own authorization server. */
async function readResource(
  serverUrl: string,
  resourceMetadataUrl: URL | undefined,
  fetch: Fetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  try {
    const options = resourceMetadataUrl ? { resourceMetadataUrl } : {};
    return await discoverOAuthProtectedResourceMetadata(serverUrl, options, fetch);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    return undefined;
  }
}

/** Throws, with a reason, if the metadata leads where nothing may be sent, or is another server's. */
export function checkDiscovery(serverUrl: string, { resourceMetadata, ...found }: OAuthDiscoveryState): void {
  const metadata = found.authorizationServerMetadata;
  const expected = resourceUrlFromServerUrl(serverUrl);
  const named = resourceMetadata?.resource;
  if (
    named !== undefined &&
    !checkResourceAllowed({ requestedResource: expected, configuredResource: named })
  ) {
    throw new ReasonError({ code: 'metadata-elsewhere', url: named, newUrl: expected.href });
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const) {
    const endpoint = metadata?.[name];
    if (endpoint !== undefined) requireSecureUrl(new URL(endpoint), name);
  }
}

/** Prepares a login: registers the client where it must, and lets the provider know the address. */
export async function prepareLogin(provider: OAuthProvider, asked: Asked): Promise<URL> {
  const { serverUrl, resource, fetch, scope } = asked;
  // Everything was discovered before, and is kept: the SDK asks for nothing but a registration.
  await auth(provider, {
    serverUrl: resource ?? serverUrl,
    fetchFn: fetch,
    ...(scope !== undefined && { scope }),
    // A refresh was tried before, or cannot help: it never widens a grant (RFC 6749, 6).
    forceReauthorization: true,
  });
  if (!provider.authorizationUrl) throw new ReasonError({ code: 'login-failed', how: 'no-address' });
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
  | { readonly name: 'over' }
  /** The server could not be asked, or could not answer. */
  | { readonly name: 'later' };

/** `auth()` would start a login when the token endpoint is merely away for a moment; this tells the two apart. */
export async function refresh(
  provider: OAuthProvider,
  kept: KeptTokens,
  { serverUrl, fetch }: Pick<Asked, 'serverUrl' | 'fetch'>,
): Promise<Refreshed> {
  const discovery = await provider.discoveryState();
  const metadata = discovery?.authorizationServerMetadata;
  const issuer = metadata?.issuer ?? discovery?.authorizationServerUrl;
  const { refresh_token: refreshToken, issuer: grantedBy } = kept.tokens;
  if (!discovery || refreshToken === undefined || issuer === undefined || issuer !== grantedBy) {
    return { name: 'over' };
  }
  const client = await provider.clientInformation({ issuer });
  if (!client) return { name: 'over' };
  const resource = discovery.resourceMetadata?.resource ?? resourceUrlFromServerUrl(serverUrl);
  try {
    const tokens = await refreshAuthorization(discovery.authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken,
      resource,
      addClientAuthentication: provider.addClientAuthentication,
      fetchFn: fetch,
    });
    const scope = tokens.scope ?? kept.tokens.scope;
    await provider.saveTokens({ ...tokens, ...(scope !== undefined && { scope }), issuer }, { issuer });
    return { name: 'refreshed' };
  } catch (error) {
    return { name: isFinal(error) ? 'over' : 'later' };
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
