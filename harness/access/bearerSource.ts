/** A bearer token for the requests to a server, from the environment, for programs that no user logs in to. */
import { readClientCredentials, type ClientCredentials } from './clientCredentials.ts';
import type { AccessToken } from './fetchAccessToken.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Before its end, so that it doesn't expire on its way. */
const EARLY_MS = 10_000;

/** `undefined` if the environment holds no credentials. */
export function bearerFromEnvironment(serverUrl: string, env: Env): (() => Promise<string>) | undefined {
  const given = env['MCP_REPRISE_BEARER'];
  if (given) return () => Promise.resolve(given);
  const credentials = readClientCredentials(env);
  return credentials && bearerFor(serverUrl, credentials);
}

/** Each call returns a token that is still valid. */
export function bearerFor(serverUrl: string, credentials: ClientCredentials): () => Promise<string> {
  let fetched: Promise<AccessToken> | undefined;
  return async () => {
    const known = await fetched?.catch(() => undefined);
    const isOver = known?.expiresAt !== undefined && known.expiresAt - EARLY_MS < Date.now();
    if (known && !isOver) return known.token;
    // The OAuth code is loaded for those who need it.
    const { fetchAccessToken } = await import('./fetchAccessToken.ts');
    fetched = fetchAccessToken(serverUrl, credentials);
    return (await fetched).token;
  };
}
