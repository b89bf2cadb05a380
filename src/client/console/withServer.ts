/** What `window.reprise` says of a server: its name, and beside it the id that never changes. */
import type { ServerHandle } from '../servers/serverHandle.ts';

export interface NamedServer {
  readonly server: string;
  readonly serverId: string;
}

/** What is stored names the server by its id alone: a name can change. */
export function withServer<T extends object>(
  { id, name }: Pick<ServerHandle, 'id' | 'name'>,
  value: T,
): T & NamedServer {
  return { ...value, server: name, serverId: id };
}
