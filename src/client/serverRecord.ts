/** What is kept of a server in the list of servers: everything but its log and its secrets. */
import { isObject, numberField, stringField } from '../base/json.ts';

/** How to speak to a server: find out, with sessions, as of 2026-07-28 without, or over the transport of 2024-11-05. */
export const REVISIONS = ['auto', 'session', 'stateless', 'sse'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface ServerSettings {
  /** What a person calls it; without one, its id. */
  readonly name?: string;
  /** How long a call may take, unless the call says otherwise. */
  readonly timeoutMs?: number;
  readonly revision?: Revision;
}

export interface ServerRecord extends ServerSettings {
  readonly id: string;
  readonly url: string;
  /** Hidden since then, and removed for good when the time for a change of mind is over. */
  readonly forgottenAt?: number;
}

export function parseServerRecords(value: unknown): readonly ServerRecord[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).flatMap((record) => {
    const id = stringField(record, 'id');
    const url = stringField(record, 'url');
    if (id === undefined || url === undefined) return [];
    const forgottenAt = numberField(record, 'forgottenAt');
    return [{ id, url, ...parseSettings(record), ...(forgottenAt !== undefined && { forgottenAt }) }];
  });
}

function parseSettings(record: object): ServerSettings {
  const name = stringField(record, 'name');
  const timeoutMs = numberField(record, 'timeoutMs');
  const revision = REVISIONS.find((one) => one === stringField(record, 'revision'));
  return {
    ...(name !== undefined && { name }),
    ...(timeoutMs !== undefined && timeoutMs > 0 && { timeoutMs }),
    ...(revision && { revision }),
  };
}

export function settingsOf({ name, timeoutMs, revision }: ServerSettings): ServerSettings {
  return {
    ...(name !== undefined && { name }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(revision && { revision }),
  };
}

/** An id that no server has: a log belongs to one id for ever. */
export function freeId(wanted: string, taken: readonly { readonly id: string }[]): string {
  const isTaken = (id: string) => taken.some((record) => record.id === id);
  let id = wanted;
  for (let n = 2; isTaken(id); n += 1) id = `${wanted} ${n}`;
  return id;
}
