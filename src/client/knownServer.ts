/** What is stored of a server beside its log, checked: a record may be damaged, or of another version. */
import { isObject } from '../base/json.ts';
import type { CredentialTerms } from '../storage/credentialPlace.ts';
import type { ServerRecords } from '../storage/serverRecords.ts';
import type { Credentials, Session } from './connection.ts';
import { NO_LISTS, type Lists } from './lists.ts';
import { parseWishes, type Wishes } from './wishes.ts';

export interface KnownServer {
  /** With the keys that are kept for it; where they are missing, with placeholders. */
  readonly url: string;
  readonly session: Session | undefined;
  readonly lists: Lists;
  readonly wishes: Wishes;
  readonly credentials: Credentials;
  /** Another tab has the credentials. */
  readonly lacksCredentials: boolean;
}

/** The session and the credentials are left out where they belong to another address. */
export async function loadKnownServer(records: ServerRecords, terms: CredentialTerms): Promise<KnownServer> {
  const { url, session, lists, wishes, credentials, areElsewhere } = await records.load(terms);
  return {
    url,
    session: isSession(session) ? session : undefined,
    lists: isLists(lists) ? lists : NO_LISTS,
    wishes: parseWishes(wishes),
    credentials,
    lacksCredentials: areElsewhere === true,
  };
}

function isSession(value: unknown): value is Session {
  return isObject(value) && typeof value['protocolVersion'] === 'string' && isObject(value['handshake']);
}

function isLists(value: unknown): value is Lists {
  return (
    isObject(value) &&
    ['tools', 'resources', 'resourceTemplates', 'prompts'].every((name) => Array.isArray(value[name])) &&
    (value['tasks'] === undefined || Array.isArray(value['tasks']))
  );
}
