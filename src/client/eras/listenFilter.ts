/** What to listen for on a stateless server, by what it offers. Pure. */
import type { ServerCapabilities } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';

export function listenFilter(
  { tools, prompts, resources }: ServerCapabilities,
  taskIds: readonly string[],
): JsonObject {
  return {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
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
