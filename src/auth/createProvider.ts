/** What the authorization at one server needs, and the SDK's provider made of it. */
import type { AuthBody } from '../log/entry/entry.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Redactor } from '../wire/redact.ts';
import type { AuthStore } from './authStore.ts';
import type { FindWorker } from './relayFetch.ts';
import type { KnownClient } from './knownClient.ts';
import type { LoginWay } from './loginPlan.ts';
import { OAuthProvider } from './oauthProvider.ts';
import type { LocksLike } from '../base/exclusive.ts';

export interface AuthorizationOptions {
  readonly serverUrl: string;
  readonly store: AuthStore;
  readonly known: KnownClient;
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly clientName?: string;
  readonly fetch: Fetch;
  readonly findWorker: FindWorker;
  readonly locks: LocksLike | undefined;
  /** The first part of the names of locks. */
  readonly scope?: string;
  readonly now: () => number;
  readonly redactor: Redactor;
  readonly record: (body: AuthBody) => void;
}

/** The login that the provider is for, if it is for one. */
export interface ProvidedLogin {
  /** It is begun. */
  readonly way?: LoginWay;
  /** It is finished. */
  readonly verifier?: string;
  readonly redirectUrl?: string;
  readonly withoutPkce?: true;
}

export async function createProvider(
  options: AuthorizationOptions,
  { way, verifier, withoutPkce, redirectUrl = options.redirectUrl }: ProvidedLogin = {},
): Promise<OAuthProvider> {
  const { store, known, clientMetadataUrl, clientName, now, redactor } = options;
  const discovery = await store.discovery();
  const authMethods = discovery?.authorizationServerMetadata?.token_endpoint_auth_methods_supported;
  return new OAuthProvider({
    store,
    known,
    redirectUrl,
    now,
    onSecrets: (values) => redactor.protectValues(values),
    newState: () => `${way ?? 'redirect'}.${crypto.randomUUID()}${crypto.randomUUID()}`,
    isDocumented: discovery?.resourceMetadata !== undefined,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    ...(clientName !== undefined && { clientName }),
    ...(way !== undefined && { isBeginning: true }),
    ...(withoutPkce && { withoutPkce }),
    ...(verifier !== undefined && { verifier }),
    ...(authMethods && { authMethods }),
  });
}
