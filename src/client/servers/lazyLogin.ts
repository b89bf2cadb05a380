/** The login of a server, whose code is loaded when the server asks for one: most never do. */
import { tokensOwner } from '../../auth/authOwner.ts';
import type { TokenSource } from '../../auth/tokenSource.ts';
import { loadPart } from '../../base/loadPart.ts';
import { withoutUrlKeys } from '../../base/urlKeys.ts';
import { secretKey } from '../../storage/vault.ts';
import type { Login, LoginEnvironment, ServerLogin, ServerLoginOptions } from './serverLogin.ts';

export function lazyLogin(env: LoginEnvironment, options: ServerLoginOptions): Login {
  const { access } = options;
  let loaded: Promise<ServerLogin> | undefined;
  const login = (): Promise<ServerLogin> => {
    loaded ??= loadPart(() => import('./serverLogin.ts')).then(
      ({ ServerLogin }) => new ServerLogin(env, options),
    );
    // What could not be loaded is loaded again with the next try.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  const hasTokens = async (): Promise<boolean> => {
    const records = access.settings.keepSecrets === 'tab' ? access.tabLogin : env.store;
    return (await records.get(secretKey(tokensOwner(withoutUrlKeys(access.url))))) !== undefined;
  };
  return {
    tokens: () => Promise.resolve(lazyTokens(hasTokens, async () => (await login()).tokens())),
    begin: async (way, agreed) => (await login()).begin(way, agreed),
    plan: async () => (await login()).plan(),
    awaits: async (state) => (await login()).awaits(state),
    isNeeded: async () => (await login()).isNeeded(),
    finish: async (parameters) => (await login()).finish(parameters),
    decline: async () => (await login()).decline(),
    logOut: async () => (await login()).logOut(),
    grant: async () => ((await hasTokens()) ? (await login()).grant() : undefined),
    refresh: async () => (await login()).refresh(),
    expire: async () => (await login()).expire(),
    forget: async () => (await login()).forget(),
  };
}

/** Requests go out without a token until there is one, or the server refuses a request. */
function lazyTokens(hasTokens: () => Promise<boolean>, load: () => Promise<TokenSource>): TokenSource {
  let loaded: Promise<TokenSource> | undefined;
  // Read beside the rest of the connection: the first request would wait for it.
  let first: Promise<boolean> | undefined = hasTokens();
  first.catch(() => undefined);
  const hasSome = (): Promise<boolean> => {
    const found = first ?? hasTokens();
    first = undefined;
    return found;
  };
  const source = (): Promise<TokenSource> => {
    loaded ??= load();
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  return {
    token: async () => (loaded || (await hasSome()) ? (await source()).token() : undefined),
    recover: async (response, used) => (await source()).recover(response, used),
    refusedAgain: async (response, used) => (await source()).refusedAgain(response, used),
  };
}
