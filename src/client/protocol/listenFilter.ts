/** What to listen for on a stateless server, by what it offers. Pure. */
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';

export function listenFilter(
  { tools, prompts, resources }: ServerCapabilities,
  { taskIds, uris }: { readonly taskIds: readonly string[]; readonly uris: readonly string[] },
): JsonObject {
  return {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
    ...(taskIds.length > 0 && { taskIds: [...taskIds] }),
  };
}

/** The lists that a server has. */
export function listsOf({ tools, prompts, resources }: ServerCapabilities): readonly string[] {
  return [
    ...(tools ? ['tools/list'] : []),
    ...(prompts ? ['prompts/list'] : []),
    ...(resources ? ['resources/list', 'resources/templates/list'] : []),
  ];
}

/** The resources of a filter. */
export function urisOf(filter: JsonObject): readonly string[] {
  const uris = filter['resourceSubscriptions'];
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}
