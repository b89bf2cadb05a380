/** What a workspace is given, and what it tells. */
import type { Credentials } from '../settings/credentials.ts';
import type { SavedServer, ServerSettings } from '../settings/savedServer.ts';

export interface ConnectOptions extends Credentials, ServerSettings {
  readonly name?: string;
}

/** A view belongs to its tab: two tabs may look at two servers. */
export interface Selection {
  /** The id of a server. */
  read(): string | undefined;
  write(id: string | undefined): void;
  /** The last start with this server failed: it isn't selected until `write` names it. */
  holdsBack(id: string): boolean;
}

/** A server of the list that isn't open. */
export interface HeldBack {
  readonly record: SavedServer;
  /** Why it can't be opened; without it, the last start with this server failed. */
  readonly why?: string;
}
