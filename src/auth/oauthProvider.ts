/** The SDK's view of what is kept: reads and writes the vault, and never leaves the page by itself. */
import type {
  AddClientAuthentication,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { loadPart } from '../base/loadPart.ts';
import { ReasonError } from '../log/reasons/reasonError.ts';
import type { AuthStore } from './authStore.ts';
import { isDocument, type KnownClient } from './knownClient.ts';
import { redirectUrisOf } from './redirectUrl.ts';
import { requireSecureUrl } from './webUrl.ts';

export interface OAuthProviderOptions {
  readonly store: AuthStore;
  readonly redirectUrl: string;
  /** The address of the document that describes this app, where it is published under https. */
  readonly clientMetadataUrl?: string;
  readonly known: KnownClient;
  /** What the user reads when asked for consent; `Reprise` if left out. */
  readonly clientName?: string;
  /** How the token endpoint lets clients prove who they are, as far as it says. */
  readonly authMethods?: readonly string[];
  readonly now: () => number;
  /** Gets every secret before it is used, so that none is recorded. */
  readonly onSecrets: (values: readonly string[]) => void;
  /** The state of the login that is begun. */
  readonly newState: () => string;
  /** The verifier of the login that is finished; it was taken out of the vault, so that it works once. */
  readonly verifier?: string;
  /** A login is begun: a client that was registered with another redirect URL is registered again. */
  readonly isBeginning?: true;
  /** The user goes on although the metadata doesn't list S256. */
  readonly withoutPkce?: true;
  readonly isDocumented: boolean;
}

export class OAuthProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  /** Where the person logs in, once `auth()` has found out. */
  authorizationUrl: URL | undefined;
  readonly validateResourceURL?: (serverUrl: string | URL) => Promise<URL>;
  readonly #options: OAuthProviderOptions;
  #state = '';
  #verifier = '';

  constructor(options: OAuthProviderOptions) {
    this.#options = options;
    const { known, clientMetadataUrl } = options;
    const published = isDocument(known) ? known.clientId : clientMetadataUrl;
    if (published !== undefined) this.clientMetadataUrl = published;
    // MCP clients MUST name the resource. Where a document names it, the SDK sends that name, unchanged.
    if (!options.isDocumented) this.validateResourceURL = async (serverUrl) => new URL(serverUrl);
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: this.#options.clientName ?? 'Reprise',
      redirect_uris: [this.#options.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: chooseAuthMethod(this.#options.authMethods),
    };
  }

  state(): string {
    this.#state = this.#options.newState();
    this.#options.onSecrets([this.#state]);
    return this.#state;
  }

  /** The order of MCP 2025-11-25: what the person has registered comes before what the page can register. */
  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { known, store, onSecrets } = this.#options;
    const issuer = context?.issuer;
    if (issuer === undefined) return undefined;
    const stored = await store.client(issuer);
    const { clientId, clientSecret } = known;
    if (clientId !== undefined && !isDocument(known) && (await this.#mayGo(clientId, issuer))) {
      if (clientSecret !== undefined) onSecrets([clientSecret]);
      return {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        ...(stored?.client_id === clientId && { issuer }),
      };
    }
    if (this.#options.isBeginning && stored && redirectUrisOf(stored)?.includes(this.redirectUrl) === false) {
      return undefined;
    }
    if (stored && 'client_secret' in stored) onSecrets([String(stored.client_secret)]);
    return stored;
  }

  /** What was typed for one issuer is never shown to another. */
  async #mayGo(clientId: string, issuer: string): Promise<boolean> {
    const bound = await this.#options.store.boundIssuer(clientId);
    return bound === undefined || bound === issuer;
  }

  /** The SDK does not form-encode what goes into a `Basic` header. */
  readonly addClientAuthentication: AddClientAuthentication = async (headers, params, _url, metadata) => {
    const issuer = metadata?.issuer ?? (await this.discoveryState())?.authorizationServerUrl;
    const client = issuer === undefined ? undefined : await this.clientInformation({ issuer });
    if (!client) return;
    const { authenticateClient } = await loadPart(() => import('./clientAuthentication.ts'));
    authenticateClient(client, metadata, headers, params);
    this.#options.onSecrets([headers.get('authorization')?.replace(/^Basic /, '') ?? '']);
  };

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    const issuer = context?.issuer ?? client.issuer;
    if ('client_secret' in client) this.#options.onSecrets([String(client.client_secret)]);
    if (issuer === undefined) return;
    await this.#options.store.saveClient(issuer, client);
    if (client.client_id === this.#options.known.clientId)
      await this.#options.store.bind(client.client_id, issuer);
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    const kept = await this.#options.store.tokens();
    if (!kept || (context && kept.tokens.issuer !== context.issuer)) return undefined;
    this.#options.onSecrets(secretsOf(kept.tokens));
    return kept.tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    this.#options.onSecrets(secretsOf(tokens));
    const issuer = context?.issuer ?? tokens.issuer;
    const savedAt = this.#options.now();
    const { expires_in: seconds } = tokens;
    await this.#options.store.saveTokens({
      tokens: { ...tokens, ...(issuer !== undefined && { issuer }) },
      savedAt,
      ...(seconds !== undefined && { expiresAt: savedAt + seconds * 1000 }),
    });
  }

  saveCodeVerifier(verifier: string): void {
    this.#options.onSecrets([verifier]);
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#options.verifier === undefined) {
      throw new ReasonError({ code: 'login-failed', how: 'not-begun' });
    }
    return this.#options.verifier;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = requireSecureUrl(url, 'authorization_endpoint');
  }

  /** Keeps what the callback will need. */
  async saveLogin(): Promise<void> {
    const { store, now } = this.#options;
    const { redirectUrl } = this;
    await store.saveLogin({ state: this.#state, verifier: this.#verifier, startedAt: now(), redirectUrl });
  }

  saveDiscoveryState(state: OAuthDiscoveryState): Promise<void> {
    return this.#options.store.saveDiscovery(state);
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    const state = await this.#options.store.discovery();
    const metadata = state?.authorizationServerMetadata;
    if (!state || !metadata || !this.#options.withoutPkce) return state;
    // The SDK refuses a list without S256, and says nothing where there is no list.
    const { code_challenge_methods_supported: _, ...rest } = metadata;
    return { ...state, authorizationServerMetadata: rest };
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const { store } = this.#options;
    const discovery = await store.discovery();
    const issuer = discovery?.authorizationServerMetadata?.issuer ?? discovery?.authorizationServerUrl;
    if ((scope === 'client' || scope === 'all') && issuer !== undefined) await store.forgetClient(issuer);
    if (scope === 'tokens' || scope === 'all') await store.forgetTokens();
    if (scope === 'verifier' || scope === 'all') await store.forgetLogin();
    if (scope === 'discovery' || scope === 'all') await store.forgetDiscovery();
  }
}

/** A page cannot keep a secret from its user, so it asks for none; a server that insists is obeyed. */
function chooseAuthMethod(offered: readonly string[] = ['none']): string {
  const usable = ['none', 'client_secret_basic', 'client_secret_post'];
  return usable.find((method) => offered.includes(method)) ?? 'none';
}

function secretsOf(tokens: StoredOAuthTokens): string[] {
  return [tokens.access_token, tokens.refresh_token, tokens.id_token].filter((value) => value !== undefined);
}
