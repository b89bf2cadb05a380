/** OAuth client credentials: which there are, read from the environment. Pure. */
import { HarnessError } from '../harnessError.ts';

export type ClientCredentials =
  | {
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string | undefined;
      readonly issuer?: string | undefined;
    }
  | {
      readonly clientId: string;
      /** PEM or JWK, for `private_key_jwt`. */
      readonly privateKey: string;
      /** Default: `RS256`, or `ES256` for an EC key. */
      readonly algorithm?: string | undefined;
      readonly scope?: string | undefined;
      /** The authorization server that they are for, and no other. */
      readonly issuer?: string | undefined;
    };

type Env = Readonly<Record<string, string | undefined>>;

/** `undefined` if `MCP_REPRISE_CLIENT_ID` isn't set. */
export function readClientCredentials(env: Env): ClientCredentials | undefined {
  const value = (name: string): string | undefined => env[`MCP_REPRISE_${name}`] || undefined;
  const clientId = value('CLIENT_ID');
  if (clientId === undefined) return undefined;
  const [clientSecret, privateKey, algorithm] = [
    value('CLIENT_SECRET'),
    value('PRIVATE_KEY'),
    value('ALGORITHM'),
  ];
  if ((clientSecret === undefined) === (privateKey === undefined)) {
    throw new HarnessError(
      'usage',
      'MCP_REPRISE_CLIENT_ID is set. Set one of MCP_REPRISE_CLIENT_SECRET and MCP_REPRISE_PRIVATE_KEY, too.',
    );
  }
  const rest = { clientId, scope: value('SCOPE'), issuer: value('ISSUER') };
  if (clientSecret !== undefined) return { ...rest, clientSecret };
  // A variable in a CI system often holds its line breaks as \n.
  return { ...rest, privateKey: (privateKey ?? '').replaceAll('\\n', '\n'), algorithm };
}

/** What must not stand in any output. */
export function secretsOf(credentials: ClientCredentials | undefined): readonly string[] {
  if (!credentials) return [];
  return 'clientSecret' in credentials ? [credentials.clientSecret] : [credentials.privateKey];
}
