/** What is kept of the authorization at one server, all of it in the vault and bound to the server's address. */
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isObject, numberField, objectField, stringField } from '../base/json.ts';
import { recorded, type Reason } from '../log/reasons/reason.ts';
import type { Vault } from '../storage/vault.ts';
import { authOwner } from './authOwner.ts';
import type { PendingLogin } from './pendingLogin.ts';

export interface KeptTokens {
  readonly tokens: StoredOAuthTokens;
  readonly savedAt: number;
  /** Not every server says. */
  readonly expiresAt?: number;
}

/** What the server asked for, and nothing but a login can give. */
export interface Challenge {
  readonly reason: Reason;
  readonly ask: 'login' | 'client';
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
  /** Behind a bridge: the URL of the server itself. */
  readonly resource?: string;
  /** Where the discovery stopped, until the user agrees to it. */
  readonly askFirst?: string;
}

/** What a tab can keep for itself. The rest is no secret, and every tab needs it. */
type SecretSlot = 'tokens' | 'carried' | 'login';
type Slot = SecretSlot | 'discovery' | 'challenge' | 'step-ups' | 'binding';
const SECRET_SLOTS: readonly string[] = ['tokens', 'carried', 'login'] satisfies SecretSlot[];

export class AuthStore {
  readonly #vault: Vault;
  readonly #secrets: Vault;
  readonly #server: string;

  /**
   * @param serverUrl without its keys: it is a part of the names of the records, which are not encrypted
   * @param secrets where tokens and registered clients are, if not with the rest
   */
  constructor(vault: Vault, serverUrl: string, secrets = vault) {
    this.#vault = vault;
    this.#secrets = secrets;
    this.#server = authOwner(serverUrl);
  }

  async tokens(): Promise<KeptTokens | undefined> {
    const kept = await this.#get('tokens');
    const savedAt = numberField(kept, 'savedAt');
    const expiresAt = numberField(kept, 'expiresAt');
    const tokens = isObject(kept) ? kept['tokens'] : undefined;
    if (savedAt === undefined || !isTokens(tokens)) return undefined;
    return { tokens, savedAt, ...(expiresAt !== undefined && { expiresAt }) };
  }

  /** New tokens answer the challenge that they were asked for. */
  async saveTokens(kept: KeptTokens): Promise<void> {
    await this.#put('tokens', kept);
    await this.forgetChallenge();
    await this.#forget('carried');
  }

  async forgetTokens(): Promise<void> {
    await this.#forget('tokens');
    await this.#forget('carried');
    // Whoever logs in next may have the rights.
    await this.#forget('step-ups');
  }

  /** Where the answer to a refresh waits while no page has taken it. */
  get relayPlace(): string {
    return this.#owner('carried');
  }

  /** A client is known to the issuer that registered it, and to no other (RFC 6749, 2.2). */
  async client(issuer: string): Promise<StoredOAuthClientInformation | undefined> {
    const stored = await this.#secrets.get(this.#ofIssuer(issuer));
    return isClient(stored) && stored.issuer === issuer ? stored : undefined;
  }

  saveClient(issuer: string, client: StoredOAuthClientInformation): Promise<void> {
    return this.#secrets.put(this.#ofIssuer(issuer), { ...client, issuer });
  }

  forgetClient(issuer: string): Promise<void> {
    return this.#secrets.forget(this.#ofIssuer(issuer));
  }

  /** Which issuer a client id that was typed in was first used with: it is never shown to another. */
  async boundIssuer(clientId: string): Promise<string | undefined> {
    return stringField(await this.#get('binding'), clientId);
  }

  bind(clientId: string, issuer: string): Promise<void> {
    return this.#put('binding', { [clientId]: issuer });
  }

  async discovery(): Promise<OAuthDiscoveryState | undefined> {
    const stored = await this.#get('discovery');
    return isDiscovery(stored) ? stored : undefined;
  }

  saveDiscovery(state: OAuthDiscoveryState): Promise<void> {
    return this.#put('discovery', state);
  }

  forgetDiscovery(): Promise<void> {
    return this.#forget('discovery');
  }

  async login(): Promise<PendingLogin | undefined> {
    const stored = await this.#get('login');
    const state = stringField(stored, 'state');
    const verifier = stringField(stored, 'verifier');
    if (state === undefined || verifier === undefined) return undefined;
    const redirectUrl = stringField(stored, 'redirectUrl');
    const startedAt = numberField(stored, 'startedAt') ?? 0;
    return { state, verifier, startedAt, ...(redirectUrl !== undefined && { redirectUrl }) };
  }

  saveLogin(login: PendingLogin): Promise<void> {
    return this.#put('login', login);
  }

  forgetLogin(): Promise<void> {
    return this.#forget('login');
  }

  async challenge(): Promise<Challenge | undefined> {
    const stored = await this.#get('challenge');
    const reason = storedReason(stored);
    if (!reason) return undefined;
    const scope = stringField(stored, 'scope');
    const resourceMetadataUrl = stringField(stored, 'resourceMetadataUrl');
    const resource = stringField(stored, 'resource');
    const askFirst = stringField(stored, 'askFirst');
    return {
      reason,
      ask: stringField(stored, 'ask') === 'client' ? 'client' : 'login',
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      ...(resource !== undefined && { resource }),
      ...(askFirst !== undefined && { askFirst }),
    };
  }

  saveChallenge(challenge: Challenge): Promise<void> {
    return this.#put('challenge', challenge);
  }

  forgetChallenge(): Promise<void> {
    return this.#forget('challenge');
  }

  /** How often a set of scopes was asked for; kept, because each time is a page load of its own. */
  async stepUps(scope: string): Promise<number> {
    return numberField(await this.#get('step-ups'), scope) ?? 0;
  }

  async countStepUp(scope: string): Promise<void> {
    const counts = await this.#get('step-ups');
    await this.#put('step-ups', {
      ...(isObject(counts) && counts),
      [scope]: (await this.stepUps(scope)) + 1,
    });
  }

  async forgetAll(): Promise<void> {
    await this.#vault.forgetAll(this.#server);
    if (this.#secrets !== this.#vault) await this.#secrets.forgetAll(this.#server);
  }

  #get(slot: Slot): Promise<unknown> {
    return this.#vaultOf(slot).get(this.#owner(slot));
  }

  #put(slot: Slot, value: object): Promise<void> {
    return this.#vaultOf(slot).put(this.#owner(slot), value);
  }

  #forget(slot: Slot): Promise<void> {
    return this.#vaultOf(slot).forget(this.#owner(slot));
  }

  #vaultOf(slot: Slot): Vault {
    return SECRET_SLOTS.includes(slot) ? this.#secrets : this.#vault;
  }

  #owner(slot: Slot): string {
    return `${this.#server}${slot}`;
  }

  #ofIssuer(issuer: string): string {
    return `${this.#server}client/${issuer}`;
  }
}

/** Is this the name of a record with a secret of the login at this server? */
export function isLoginSecret(owner: string, serverUrl: string): boolean {
  const prefix = authOwner(serverUrl);
  if (!owner.startsWith(prefix)) return false;
  const slot = owner.slice(prefix.length);
  return SECRET_SLOTS.includes(slot) || slot.startsWith('client/');
}

function isTokens(value: unknown): value is StoredOAuthTokens {
  return stringField(value, 'access_token') !== undefined && stringField(value, 'token_type') !== undefined;
}

function isClient(value: unknown): value is StoredOAuthClientInformation {
  return stringField(value, 'client_id') !== undefined;
}

function isDiscovery(value: unknown): value is OAuthDiscoveryState {
  const metadata = objectField(value, 'authorizationServerMetadata');
  return (
    stringField(value, 'authorizationServerUrl') !== undefined &&
    (metadata === undefined || typeof metadata['issuer'] === 'string')
  );
}

function isReason(value: unknown): value is Reason {
  return stringField(value, 'code') !== undefined;
}

/** Challenges of earlier versions have a sentence. */
function storedReason(stored: unknown): Reason | undefined {
  const reason = objectField(stored, 'reason');
  if (isReason(reason)) return reason;
  const why = stringField(stored, 'why');
  return why === undefined ? undefined : recorded(why);
}
