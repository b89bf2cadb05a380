/** The login of a server, whose code is loaded when a login is needed: most apps never do. */
import { loadPart } from '../../base/loadPart.ts';
import type { Login, LoginEnvironment, ServerLogin, ServerLoginOptions } from '../servers/serverLogin.ts';

export function lazyLogin(env: LoginEnvironment, options: ServerLoginOptions): Login {
  let loaded: Promise<ServerLogin> | undefined;
  const login = (): Promise<ServerLogin> => {
    loaded ??= loadPart(() => import('../servers/serverLogin.ts')).then(
      ({ ServerLogin }) => new ServerLogin(env, options),
    );
    // What could not be loaded is loaded again with the next try.
    loaded.catch(() => (loaded = undefined));
    return loaded;
  };
  return {
    authorizer: async () => (await login()).authorizer(),
    begin: async (way, agreed) => (await login()).begin(way, agreed),
    plan: async () => (await login()).plan(),
    awaits: async (state) => (await login()).awaits(state),
    isNeeded: async () => (await login()).isNeeded(),
    finish: async (parameters) => (await login()).finish(parameters),
    decline: async () => (await login()).decline(),
    logOut: async () => (await login()).logOut(),
    grant: async () => (await login()).grant(),
    refresh: async () => (await login()).refresh(),
    expire: async () => (await login()).expire(),
    forget: async () => (await login()).forget(),
  };
}
