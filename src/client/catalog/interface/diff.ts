/** What differs between two interfaces of a server, item by item and field by field. Pure. */
import { isObject, stringField, type JsonObject } from '../../../base/json.ts';
import { canonical } from '../../../base/canonical.ts';
import { keyOf, SNAPSHOT_LISTS, type InterfaceSnapshot, type SnapshotList } from './snapshot.ts';

export interface FieldChange {
  /** `inputSchema.properties.a.type` */
  readonly path: string;
  /** Left out: the field is new. */
  readonly before?: unknown;
  /** Left out: the field was removed. */
  readonly after?: unknown;
}

export type InterfaceChange =
  | { readonly list: SnapshotList; readonly name: string; readonly how: 'added' | 'removed' }
  | {
      readonly list: SnapshotList;
      readonly name: string;
      readonly how: 'changed';
      readonly fields: readonly FieldChange[];
    }
  /** Its capabilities and its instructions. */
  | { readonly list: 'server'; readonly how: 'changed'; readonly fields: readonly FieldChange[] };

export function diffInterfaces(
  before: InterfaceSnapshot,
  after: InterfaceSnapshot,
): readonly InterfaceChange[] {
  const fields = diffValues(ofServer(before), ofServer(after));
  return [
    ...SNAPSHOT_LISTS.flatMap((list) => diffLists(list, before[list], after[list])),
    ...(fields.length > 0 ? [{ list: 'server', how: 'changed', fields } as const] : []),
  ];
}

const ofServer = ({ capabilities, instructions }: InterfaceSnapshot): JsonObject => ({
  capabilities,
  ...(instructions !== undefined && { instructions }),
});

function diffLists(
  list: SnapshotList,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly InterfaceChange[] {
  const keyed = (items: readonly JsonObject[]) => new Map(items.map((item) => [keyOf(list, item), item]));
  const [old, current] = [keyed(before), keyed(after)];
  const removed = [...old.keys()].filter((name) => !current.has(name));
  return [
    ...removed.map((name) => ({ list, name, how: 'removed' as const })),
    ...[...current].flatMap(([name, item]): InterfaceChange[] => {
      const known = old.get(name);
      if (!known) return [{ list, name, how: 'added' }];
      const fields = diffValues(known, item);
      return fields.length > 0 ? [{ list, name, how: 'changed', fields }] : [];
    }),
  ];
}

/** A value that is nested deeper is compared as a whole. */
const DEEPEST = 40;

export function diffValues(before: unknown, after: unknown, path = '', depth = 0): readonly FieldChange[] {
  if (canonical(before) === canonical(after)) return [];
  const [old, current] = [membersOf(before), membersOf(after)];
  if (!old || !current || old.kind !== current.kind || depth > DEEPEST) {
    return [
      {
        path,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
    ];
  }
  const names = new Set([...old.members.keys(), ...current.members.keys()]);
  return [...names].flatMap((name) => {
    const inner = old.kind === 'named' ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    return diffValues(old.members.get(name), current.members.get(name), inner, depth + 1);
  });
}

interface Members {
  readonly kind: 'object' | 'named';
  readonly members: ReadonlyMap<string, unknown>;
}

/** The parts of a value: of an object, or of a list whose items have names, as the arguments of a prompt do. */
function membersOf(value: unknown): Members | undefined {
  if (isObject(value)) return { kind: 'object', members: new Map(Object.entries(value)) };
  if (!Array.isArray(value)) return undefined;
  const items = value.flatMap((item: unknown) => {
    const name = stringField(item, 'name');
    return name === undefined ? [] : [[name, item] as const];
  });
  const members = new Map<string, unknown>(items);
  return value.length > 0 && members.size === value.length ? { kind: 'named', members } : undefined;
}
