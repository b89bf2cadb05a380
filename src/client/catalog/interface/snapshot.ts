/** What a server offers at one time: its lists and its capabilities, as a value and as a file. Pure. */
import { isObject, objectField, stringField, type JsonObject } from '../../../base/json.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import { errorMessage } from '../../../base/format.ts';

/** Counts up when a reader of older snapshots would misread a new one. */
const SCHEMA_VERSION = 1;

export const SNAPSHOT_LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
export type SnapshotList = (typeof SNAPSHOT_LISTS)[number];

export interface InterfaceSnapshot extends Readonly<Record<SnapshotList, readonly JsonObject[]>> {
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  readonly capabilities: JsonObject;
  readonly instructions?: string;
}

/** The field that a list is sorted and compared by. */
const KEYS: Readonly<Record<SnapshotList, string>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
};

export const keyOf = (list: SnapshotList, item: unknown): string => stringField(item, KEYS[list]) ?? '';

export interface Offered {
  readonly lists: Readonly<Record<SnapshotList, readonly object[]>>;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  readonly capabilities: object;
  readonly instructions?: string | undefined;
}

/** Sorted, so that a server that lists in another order offers the same. */
export function takeSnapshot(offered: Offered): InterfaceSnapshot {
  const { lists, server, protocolVersion, capabilities, instructions } = offered;
  return {
    server: { name: server.name, version: server.version },
    protocolVersion,
    capabilities: { ...capabilities },
    ...(instructions !== undefined && { instructions }),
    tools: sorted('tools', lists.tools),
    prompts: sorted('prompts', lists.prompts),
    resources: sorted('resources', lists.resources),
    resourceTemplates: sorted('resourceTemplates', lists.resourceTemplates),
  };
}

function sorted(list: SnapshotList, items: readonly object[]): readonly JsonObject[] {
  const keyed = items.filter(isObject).map((item) => [keyOf(list, item), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}

export function snapshotFile(snapshot: InterfaceSnapshot): string {
  return `${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...snapshot }, undefined, 2)}\n`;
}

export function readSnapshotFile(text: string): Result<InterfaceSnapshot, string> {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !('schemaVersion' in value)) return err('The file isn’t an interface snapshot.');
    if (value['schemaVersion'] !== SCHEMA_VERSION) {
      return err(
        `The snapshot has schemaVersion ${JSON.stringify(value['schemaVersion'])}. Only 1 is known.`,
      );
    }
    const snapshot = parseSnapshot(value);
    return snapshot ? ok(snapshot) : err('The file isn’t an interface snapshot.');
  } catch (error) {
    return err(`The file isn’t JSON. ${errorMessage(error)}`);
  }
}

/** What was stored or read from a file; nothing, if it isn't a snapshot. */
export function parseSnapshot(value: unknown): InterfaceSnapshot | undefined {
  if (!isObject(value)) return undefined;
  const { tools, prompts, resources, resourceTemplates } = value;
  const lists = [tools, prompts, resources, resourceTemplates];
  if (!lists.every((list) => Array.isArray(list))) return undefined;
  const server = objectField(value, 'server');
  const [toolList = [], promptList = [], resourceList = [], templateList = []] = lists as object[][];
  return takeSnapshot({
    lists: {
      tools: toolList,
      prompts: promptList,
      resources: resourceList,
      resourceTemplates: templateList,
    },
    server: { name: stringField(server, 'name') ?? '', version: stringField(server, 'version') ?? '' },
    protocolVersion: stringField(value, 'protocolVersion') ?? '',
    capabilities: objectField(value, 'capabilities') ?? {},
    instructions: stringField(value, 'instructions'),
  });
}
