/** What is known of a server beside its log: lists, preferences, session. The tab that owns the connection tells the others. */
import { Emitter } from '../../base/emitter.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Session } from '../link/session.ts';
import type { ServerPreferences } from '../settings/preferences.ts';
import type { TabChannel, TabMessage } from '../tabs/tabChannel.ts';
import type { KnownServer } from './knownServer.ts';

export class ServerFacts {
  readonly changed = new Emitter<undefined>();
  readonly #channel: Pick<TabChannel, 'tell'>;
  #lists: Catalog;
  #preferences: ServerPreferences;
  /** As the tab that owns the connection has stored it. */
  #session: Session | undefined;

  constructor(
    channel: Pick<TabChannel, 'tell'>,
    known: Pick<KnownServer, 'lists' | 'preferences' | 'session'>,
  ) {
    this.#channel = channel;
    this.#lists = known.lists;
    this.#preferences = known.preferences;
    this.#session = known.session;
  }

  get lists(): Catalog {
    return this.#lists;
  }

  get preferences(): ServerPreferences {
    return this.#preferences;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  set session(session: Session | undefined) {
    this.#session = session;
  }

  /** They were read here. */
  tellLists(lists: Catalog): void {
    this.#set(lists, this.#preferences);
    this.#channel.tell({ type: 'lists', lists });
  }

  /** They were saved here. */
  tellPreferences(preferences: ServerPreferences): void {
    this.#set(this.#lists, preferences);
    this.#channel.tell({ type: 'wishes', wishes: preferences });
  }

  /** Another tab tells. */
  hear(message: TabMessage & { type: 'lists' | 'wishes' }): void {
    if (message.type === 'lists') this.#set(message.lists, this.#preferences);
    else this.#set(this.#lists, message.wishes);
  }

  #set(lists: Catalog, preferences: ServerPreferences): void {
    this.#lists = lists;
    this.#preferences = preferences;
    this.changed.emit(undefined);
  }
}
