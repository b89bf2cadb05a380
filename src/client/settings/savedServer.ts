/** What is kept of a server in the list of servers: everything but its log and its secrets. */
import { isObject, numberField, stringField, type JsonObject } from '../../base/json.ts';
import type { KeepSecrets } from '../../storage/credentialPlace.ts';

/** How to speak to a server: find out, with sessions, as of 2026-07-28 without, or over the transport of 2024-11-05. */
export const REVISIONS = ['auto', 'session', 'stateless', 'sse'] as const;
export type Revision = (typeof REVISIONS)[number];

/** How a server came onto the list. `file`: a configuration or a log that was imported. `script`: `window.reprise`. */
export const ADDED_BY = ['typed', 'link', 'file', 'demo', 'bridge', 'script'] as const;
export type AddedBy = (typeof ADDED_BY)[number];

export interface ServerSettings {
  /** How long a call may take, unless the call says otherwise. */
  readonly timeoutMs?: number;
  readonly revision?: Revision;
  /** Without it, credentials are kept in the browser. */
  readonly keepSecrets?: KeepSecrets;
  /** Capabilities and extensions that this page has, and doesn't declare to the server. */
  readonly withheld?: readonly string[];
  /** A `traceparent` is sent with each call. */
  readonly sendsTrace?: boolean;
}

export interface SavedServer extends ServerSettings {
  /** A ULID: everything that is stored of the server has it in its key, and it never changes. */
  readonly id: string;
  /** Unique among the servers on the list, and only a name. */
  readonly name: string;
  readonly url: string;
  /** Servers that were added by an earlier version have neither. */
  readonly addedAt?: number;
  readonly addedBy?: AddedBy;
  /** Hidden since then, and removed for good when the time for a change of mind is over. */
  readonly forgottenAt?: number;
  /** The name by which an earlier version stored it: what a tab keeps may still have it in its keys. */
  readonly formerId?: string;
}

export function parseSavedServers(value: unknown): readonly SavedServer[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((record) => {
    const id = stringField(record, 'id');
    const url = stringField(record, 'url');
    if (id === undefined || url === undefined) return [];
    const forgottenAt = numberField(record, 'forgottenAt');
    const formerId = stringField(record, 'formerId');
    const addedAt = numberField(record, 'addedAt');
    const addedBy = ADDED_BY.find((one) => one === stringField(record, 'addedBy'));
    return [
      {
        id,
        name: stringField(record, 'name') ?? id,
        url,
        ...parseSettings(record),
        ...(addedAt !== undefined && { addedAt }),
        ...(addedBy && { addedBy }),
        ...(forgottenAt !== undefined && { forgottenAt }),
        ...(formerId !== undefined && { formerId }),
      },
    ];
  });
}

function parseSettings(record: JsonObject): ServerSettings {
  const { withheld, sendsTrace } = record;
  const timeoutMs = numberField(record, 'timeoutMs');
  const revision = REVISIONS.find((one) => one === stringField(record, 'revision'));
  return {
    ...(timeoutMs !== undefined && timeoutMs > 0 && { timeoutMs }),
    ...(revision && { revision }),
    ...(stringField(record, 'keepSecrets') === 'tab' && { keepSecrets: 'tab' as const }),
    ...(Array.isArray(withheld) && { withheld: withheld.filter((name) => typeof name === 'string') }),
    ...(sendsTrace === true && { sendsTrace }),
  };
}

export function settingsOf(settings: ServerSettings): ServerSettings {
  const { timeoutMs, revision, keepSecrets, withheld, sendsTrace } = settings;
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(revision && { revision }),
    ...(keepSecrets && { keepSecrets }),
    ...(withheld && { withheld }),
    ...(sendsTrace !== undefined && { sendsTrace }),
  };
}

/** The server of this name; one that is hidden has none. */
export function findNamed(all: readonly SavedServer[], name: string): SavedServer | undefined {
  return all.find((record) => record.name === name && record.forgottenAt === undefined);
}

/** A name that no server on the list has. */
export function freeName(wanted: string, all: readonly SavedServer[]): string {
  let name = wanted;
  for (let n = 2; findNamed(all, name); n += 1) name = `${wanted} ${n}`;
  return name;
}
