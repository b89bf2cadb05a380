/** Gets an access token for a server with client credentials, as its metadata says (RFC 9728, RFC 8414, RFC 7523). */
import { createPrivateKey } from 'node:crypto';
import {
  auth,
  ClientCredentialsProvider,
  discoverOAuthServerInfo,
  PrivateKeyJwtProvider,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { HarnessError } from '../harnessError.ts';
import type { ClientCredentials } from './clientCredentials.ts';

export interface AccessToken {
  readonly token: string;
  /** The authorization server that issued it. */
  readonly issuer: string;
  /** Milliseconds since 1970; unknown if the server doesn't say. */
  readonly expiresAt: number | undefined;
}

export async function fetchAccessToken(
  serverUrl: string,
  credentials: ClientCredentials,
): Promise<AccessToken> {
  try {
    const { authorizationServerUrl, authorizationServerMetadata } = await discoverOAuthServerInfo(serverUrl);
    const issuer = credentials.issuer ?? authorizationServerMetadata?.issuer ?? authorizationServerUrl;
    const provider = providerFor(credentials, issuer);
    await auth(provider, { serverUrl, ...(credentials.scope !== undefined && { scope: credentials.scope }) });
    const tokens = await provider.tokens();
    if (!tokens) throw new Error('the token endpoint sent no token');
    const { access_token: token, expires_in: seconds } = tokens;
    return { token, issuer, expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1000 };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HarnessError(
      'unreachable',
      `No access token for ${new URL(serverUrl).host} (${why}). Check MCP_REPRISE_CLIENT_ID and the other MCP_REPRISE_* variables.`,
      { cause: error },
    );
  }
}

function providerFor(credentials: ClientCredentials, expectedIssuer: string): OAuthClientProvider {
  const { clientId, scope } = credentials;
  const common = {
    clientId,
    expectedIssuer,
    clientName: 'mcp-reprise',
    ...(scope !== undefined && { scope }),
  };
  if ('clientSecret' in credentials) {
    return new ClientCredentialsProvider({ ...common, clientSecret: credentials.clientSecret });
  }
  const privateKey = readKey(credentials.privateKey);
  const algorithm = credentials.algorithm ?? algorithmFor(privateKey);
  return new PrivateKeyJwtProvider({ ...common, privateKey, algorithm });
}

function readKey(text: string): string | JsonObject {
  if (!text.trimStart().startsWith('{')) return text;
  const key: unknown = JSON.parse(text);
  if (!isObject(key)) throw new Error("the private key isn't a valid JWK");
  return key;
}

const OF_CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  'P-256': 'ES256',
  secp384r1: 'ES384',
  'P-384': 'ES384',
  secp521r1: 'ES512',
  'P-521': 'ES512',
};

/** The usual algorithm of a kind of key. */
export function algorithmFor(key: string | JsonObject): string {
  if (typeof key !== 'string') {
    return typeof key['alg'] === 'string' ? key['alg'] : (OF_CURVES[String(key['crv'])] ?? 'RS256');
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(key);
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  return OF_CURVES[asymmetricKeyDetails?.namedCurve ?? ''] ?? 'RS256';
}
