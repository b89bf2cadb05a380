/** What the metadata of a tool says about MCP Apps (SEP-1865, "Resource Discovery"). */
import { objectField, stringField } from '../base/json.ts';

export const VIEW_TYPE = 'text/html;profile=mcp-app';
const SCHEME = 'ui://';

interface WithMeta {
  readonly _meta?: unknown;
}

/** The URI of the view that shows the results of a tool. The flat key is deprecated, and servers still send it. */
export function viewUriOf(tool: WithMeta | undefined): string | undefined {
  const meta = objectField(tool, '_meta');
  const uri = stringField(objectField(meta, 'ui'), 'resourceUri') ?? stringField(meta, 'ui/resourceUri');
  return uri?.startsWith(SCHEME) === true ? uri : undefined;
}

/** A tool is for the model and for the app, unless its visibility is given and lacks `app`. */
export function mayAppCall(tool: WithMeta): boolean {
  const visibility = objectField(objectField(tool, '_meta'), 'ui')?.['visibility'];
  return !Array.isArray(visibility) || visibility.includes('app');
}
