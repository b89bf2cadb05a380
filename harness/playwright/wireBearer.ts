/** The bearer token for each server of a wire: a given one, or one for client credentials. */
import { bearerFor, bearerFromEnvironment } from '../access/bearerSource.ts';
import type { McpOptions } from './wireTypes.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Bearer = () => string | Promise<string>;

export function wireBearer(
  { bearer, clientCredentials }: McpOptions,
  env: Env,
): (server: URL) => Promise<string | undefined> {
  const known = new Map<string, Bearer | undefined>();
  const make = (url: string): Bearer | undefined => {
    if (bearer !== undefined) return typeof bearer === 'function' ? bearer : () => bearer;
    return clientCredentials ? bearerFor(url, clientCredentials) : bearerFromEnvironment(url, env);
  };
  return async ({ origin, pathname }) => {
    const url = `${origin}${pathname}`;
    if (!known.has(url)) known.set(url, make(url));
    return (await known.get(url)?.()) || undefined;
  };
}
