/** What is stored of a server beside its log, checked: a record may be damaged, or of another version. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { CredentialTerms } from '../../storage/credentialPlace.ts';
import { recorded, type Reason } from '../../log/reasons/reason.ts';
import { LIST_NAMES } from '../../log/reasons/listNames.ts';
import type { ServerStore } from '../../storage/serverStore.ts';
import type { Session } from '../link/session.ts';
import type { Credentials } from '../settings/credentials.ts';
import { NO_LISTS, type ListProblems, type Catalog } from '../catalog/catalog.ts';
import { isStoredReason } from '../settings/storedReason.ts';
import { parsePreferences, type ServerPreferences } from '../settings/preferences.ts';

export interface KnownServer {
  /** With the keys that are kept for it; where they are missing, with placeholders. */
  readonly url: string;
  readonly session: Session | undefined;
  readonly lists: Catalog;
  readonly preferences: ServerPreferences;
  readonly credentials: Credentials;
  /** Another tab has the credentials. */
  readonly lacksCredentials: boolean;
}

/** The session and the credentials are left out where they belong to another address. */
export async function loadKnownServer(records: ServerStore, terms: CredentialTerms): Promise<KnownServer> {
  const { url, session, lists, preferences, credentials, areElsewhere } = await records.load(terms);
  return {
    url,
    session: isSession(session) ? session : undefined,
    lists: parseLists(lists),
    preferences: parsePreferences(preferences),
    credentials,
    lacksCredentials: areElsewhere === true,
  };
}

function isSession(value: unknown): value is Session {
  return isObject(value) && typeof value['protocolVersion'] === 'string' && isObject(value['handshake']);
}

export function parseLists(value: unknown): Catalog {
  if (!isLists(value)) return NO_LISTS;
  const { problems, ...lists } = value;
  return { ...lists, ...(isObject(problems) && { problems: parseProblems(problems) }) };
}

function parseProblems(stored: JsonObject): ListProblems {
  const problems = LIST_NAMES.map((name) => [name, parseReasons(stored[name])] as const);
  return Object.fromEntries(problems.filter(([, reasons]) => reasons.length > 0));
}

/** Earlier builds have stored a sentence. */
function parseReasons(stored: unknown): readonly Reason[] {
  if (typeof stored === 'string') return [recorded(stored)];
  return Array.isArray(stored) ? stored.filter(isStoredReason) : [];
}

function isLists(value: unknown): value is Catalog {
  return (
    isObject(value) &&
    ['tools', 'resources', 'resourceTemplates', 'prompts'].every((name) => Array.isArray(value[name])) &&
    (value['tasks'] === undefined || Array.isArray(value['tasks']))
  );
}
