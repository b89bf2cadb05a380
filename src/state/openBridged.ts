/** Puts the servers of the bridge that serves this page on the list, once the bridge has confirmed its token. */
import { BRIDGE_HEADER, bridgeStatusUrl, readBridgeMark } from '../base/bridgeContract.ts';
import { isObject, stringField } from '../base/json.ts';
import { withoutUrlKeys } from '../base/urlKeys.ts';
import type { Workspace } from '../client/inspector/index.ts';
import { shouldReconnect } from '../log/state/connectionState.ts';

/** What is used of the workspace. */
type Servers = Pick<Workspace, 'servers' | 'selected' | 'select' | 'connectTo' | 'add' | 'edit'>;

/** @returns the ids on the list, and the URLs that the bridge didn't confirm */
export async function openBridged(
  urls: readonly string[],
  workspace: Servers,
  request: typeof fetch,
): Promise<{ readonly ids: readonly string[]; readonly refused: readonly string[] }> {
  const asked = await Promise.all(urls.map((url) => askBridge(url, request)));
  const refused = urls.filter((_url, i) => !asked[i]);
  const ids: string[] = [];
  for (const server of asked) if (server) ids.push(await place(server, workspace));
  const [first] = ids;
  if (first === undefined) return { ids, refused };
  workspace.select(first);
  // A server of a configuration is started when a page connects to it: only the one that is looked at.
  const { selected } = workspace;
  if (selected && !shouldReconnect(selected.state)) await workspace.connectTo(first);
  return { ids, refused };
}

/** With a new token, what was connected with the one before is connected again. @returns its id */
async function place(server: BridgedServer, workspace: Servers): Promise<string> {
  const known = findBridged(workspace.servers, server);
  if (!known) return workspace.add(server.url, { name: server.name }, 'bridge');
  if (known.url === server.url) return known.id;
  await workspace.edit(known.id, server.url, { ...known.settings, name: known.name });
  if (shouldReconnect(known.state)) await workspace.connectTo(known.id);
  return known.id;
}

export interface BridgedServer {
  readonly url: string;
  /** As the bridge calls it. */
  readonly name: string;
}

/** Asks the bridge about a server of its link. A wrong token, or no bridge: the link proves nothing. */
export async function askBridge(url: string, request: typeof fetch): Promise<BridgedServer | undefined> {
  try {
    const response = await request(bridgeStatusUrl(url), { cache: 'no-store', redirect: 'error' });
    if (!response.ok || !readBridgeMark(response.headers.get(BRIDGE_HEADER))) return undefined;
    const status: unknown = await response.json();
    const name = isObject(status) ? stringField(status, 'name') : undefined;
    return name === undefined ? undefined : { url, name };
  } catch {
    return undefined;
  }
}

/** The server of the list that the bridge means: its token is new with each start, and another command is another server. */
export function findBridged<T extends { readonly name: string; readonly url: string }>(
  servers: readonly T[],
  { url, name }: BridgedServer,
): T | undefined {
  return servers.find((one) => one.name === name && withoutUrlKeys(one.url) === withoutUrlKeys(url));
}
