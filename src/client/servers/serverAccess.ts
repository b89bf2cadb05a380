/** What this tab knows of how to reach a server: its URL, its settings and its credentials. */
import { lacksUrlKeys } from '../../base/urlKeys.ts';
import type { CredentialTerms } from '../../storage/credentialPlace.ts';
import type { ServerStore } from '../../storage/serverStore.ts';
import { TabSecrets } from '../../storage/tabSecrets.ts';
import { Redactor } from '../../wire/redact.ts';
import { loadKnownServer, type KnownServer } from './knownServer.ts';
import { settingsOf, type SavedServer, type ServerSettings } from '../settings/savedServer.ts';
import type { Command } from '../tabs/tabChannel.ts';
import type { ServerEnvironment } from './serverEnvironment.ts';

export class ServerAccess {
  readonly redactor = new Redactor();
  readonly records: ServerStore;
  /** The login, while it is kept for this tab only. */
  readonly tabLogin: TabSecrets;
  /** With its keys: they are in memory and sealed, and nowhere else. */
  url: string;
  settings: ServerSettings;
  readonly #env: ServerEnvironment;

  constructor(
    env: ServerEnvironment,
    record: SavedServer,
    records: ServerStore,
    { url, credentials, session }: KnownServer,
  ) {
    this.#env = env;
    this.records = records;
    this.tabLogin = new TabSecrets(env.tabTexts, record.id);
    this.url = url;
    this.settings = settingsOf(record);
    this.redactor.protect(env.given ?? credentials);
    this.redactor.protectUrl(url);
    this.redactor.protectSessionIds([session?.sessionId ?? '']);
  }

  /** What is stored, and what the app gives in its place. */
  async known(): Promise<KnownServer> {
    const { given, preset } = this.#env;
    const known = await loadKnownServer(this.records, termsOf(this.url, this.settings));
    const { tokens: _, ...credentials } = given ?? {};
    return {
      ...known,
      preferences: { ...known.preferences, ...preset },
      ...(given && { credentials, lacksCredentials: false }),
    };
  }

  /** @param url it may have placeholders for its keys */
  async configure(url: string, settings: ServerSettings): Promise<void> {
    const terms = termsOf(url, settings);
    const whole = lacksUrlKeys(url) ? (await this.records.credentials.load(terms)).url : url;
    this.url = whole;
    this.settings = settingsOf(settings);
    this.redactor.protectUrl(whole);
  }

  /** Another tab gets what is kept for this one, sealed. */
  withSealed(command: Command): Command {
    if (command.name !== 'connect' && command.name !== 'authorized') return command;
    const sealed = command.name === 'connect' ? this.records.credentials.inTab : undefined;
    const { text: sealedLogin } = this.tabLogin;
    return {
      ...command,
      ...(sealed !== undefined && { sealed }),
      ...(sealedLogin !== undefined && { sealedLogin }),
    };
  }
}

function termsOf(url: string, { keepSecrets }: ServerSettings): CredentialTerms {
  return { url, ...(keepSecrets && { keepSecrets }) };
}
