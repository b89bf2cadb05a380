/** What was done with the list of servers: written by the tab that did it, with the list, and heard by every tab. */
import { Emitter } from '../../base/emitter.ts';
import { isObject, numberField, objectField, stringField } from '../../base/json.ts';
import { ADDED_BY, type AddedBy, type SavedServer } from '../settings/savedServer.ts';

export type WorkspaceChange =
  | { readonly name: 'added'; readonly by?: AddedBy }
  /** `from`: the name before. */
  | { readonly name: 'renamed'; readonly from: string }
  /** Places in the list, counted from 0. */
  | { readonly name: 'moved'; readonly from: number; readonly to: number }
  | { readonly name: 'removed' }
  /** It was removed, and that was undone in time. */
  | { readonly name: 'restored' };

export interface WorkspaceEntry {
  readonly seq: number;
  readonly at: number;
  readonly serverId: string;
  /** Its name at that time; its ID once it's removed for good. */
  readonly server: string;
  readonly change: WorkspaceChange;
}

/** Older entries are dropped. */
const KEPT_ENTRIES = 500;

export class WorkspaceLog {
  readonly appended = new Emitter<readonly WorkspaceEntry[]>();
  #entries: readonly WorkspaceEntry[];

  constructor(entries: readonly WorkspaceEntry[] = []) {
    this.#entries = entries;
  }

  /** Oldest first. */
  get entries(): readonly WorkspaceEntry[] {
    return this.#entries;
  }

  get lastSeq(): number {
    return this.#entries.at(-1)?.seq ?? 0;
  }

  /** Takes the entries over as they are stored now, and tells of those that are new here. */
  adopt(stored: readonly WorkspaceEntry[]): void {
    const { lastSeq } = this;
    const added = stored.filter(({ seq }) => seq > lastSeq);
    // What was read before this tab's own change is older than what is known here.
    if (added.length === 0) return;
    this.#entries = stored;
    this.appended.emit(added);
  }
}

/** @param movedId the server that was moved to another place, if one was: two neighbors that swap don't show which */
export function describeListChange(
  before: readonly SavedServer[],
  after: readonly SavedServer[],
  movedId?: string,
): readonly Omit<WorkspaceEntry, 'seq' | 'at'>[] {
  const [old, current] = [before.filter(isShown), after.filter(isShown)];
  const find = (all: readonly SavedServer[], id: string) => all.find((record) => record.id === id);
  const entryOf = ({ id, name }: SavedServer, change: WorkspaceChange) => ({
    serverId: id,
    server: name,
    change,
  });
  const removed = old
    .filter(({ id }) => !find(current, id))
    .map((record) => entryOf(record, { name: 'removed' }));
  const others = current.flatMap((record) => {
    const known = find(old, record.id);
    if (!known) return [entryOf(record, find(before, record.id) ? { name: 'restored' } : addition(record))];
    return known.name === record.name ? [] : [entryOf(record, { name: 'renamed', from: known.name })];
  });
  const moved = current.filter(({ id }) => id === movedId);
  const placeIn = (all: readonly SavedServer[]) => all.findIndex(({ id }) => id === movedId);
  const moves = moved.map((record) =>
    entryOf(record, { name: 'moved', from: placeIn(old), to: placeIn(current) }),
  );
  return [...removed, ...others, ...moves];
}

export function appendEntries(
  stored: readonly WorkspaceEntry[],
  added: readonly Omit<WorkspaceEntry, 'seq' | 'at'>[],
  at: number,
): readonly WorkspaceEntry[] {
  const last = stored.at(-1)?.seq ?? 0;
  const entries = added.map((entry, i) => ({ seq: last + 1 + i, at, ...entry }));
  return [...stored, ...entries].slice(-KEPT_ENTRIES);
}

/** Of a server that is gone for good nothing is left but that there was one. */
export function forgetNames(
  entries: readonly WorkspaceEntry[],
  all: readonly SavedServer[],
): readonly WorkspaceEntry[] {
  const known = new Set(all.map(({ id }) => id));
  return entries.map((entry) => {
    const { serverId, change } = entry;
    if (known.has(serverId)) return entry;
    return {
      ...entry,
      server: serverId,
      change: change.name === 'renamed' ? { ...change, from: serverId } : change,
    };
  });
}

export function parseWorkspaceEntries(value: unknown): readonly WorkspaceEntry[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const [seq, at] = [numberField(one, 'seq'), numberField(one, 'at')];
    const [serverId, server] = [stringField(one, 'serverId'), stringField(one, 'server')];
    const change = parseChange(objectField(one, 'change'));
    if (seq === undefined || at === undefined || serverId === undefined || !change) return [];
    return [{ seq, at, serverId, server: server ?? serverId, change }];
  });
}

function parseChange(value: unknown): WorkspaceChange | undefined {
  if (!isObject(value)) return undefined;
  const name = stringField(value, 'name');
  switch (name) {
    case 'added': {
      const by = ADDED_BY.find((one) => one === stringField(value, 'by'));
      return { name, ...(by && { by }) };
    }
    case 'renamed':
      return { name, from: stringField(value, 'from') ?? '' };
    case 'moved':
      return { name, from: numberField(value, 'from') ?? 0, to: numberField(value, 'to') ?? 0 };
    case 'removed':
    case 'restored':
      return { name };
    default:
      return undefined;
  }
}

/** One that is hidden is removed, as far as anybody sees. */
const isShown = ({ forgottenAt }: SavedServer): boolean => forgottenAt === undefined;

function addition({ addedBy }: SavedServer): WorkspaceChange {
  return { name: 'added', ...(addedBy && { by: addedBy }) };
}
