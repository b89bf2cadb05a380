/** The MCP server of one session: tools, resources, prompts, completion, log level. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { targetCatalog } from './catalog.ts';
import { silent } from './log.ts';
import type { TargetOptions } from './options.ts';
import { serveCatalog } from './sessionCatalog.ts';
import { serveTools } from './sessionTools.ts';
import { TASK_CAPABILITY } from './tasks/sessionTasks.ts';
import { RENAMED_ROUTE, TOOLS } from './tools.ts';
import type { ToolDefinition } from './toolTable.ts';
import { serveWatched } from './watched.ts';

const VERSION = '0.1.0';

/** How a target introduces itself, whatever the revision. */
export const introduction = (options: TargetOptions) => ({
  info: { name: `reprise-target-${options.name ?? 'resumable'}`, title: 'Reprise target', version: VERSION },
  instructions: 'Call countdown and reload the page while it runs.',
});

export function toolsOf({ extraTools = [], renamesHeader }: TargetOptions): readonly ToolDefinition[] {
  const extra = renamesHeader?.()
    ? extraTools.map((one) => (one.tool.name === RENAMED_ROUTE.tool.name ? RENAMED_ROUTE : one))
    : extraTools;
  return [...TOOLS, ...extra];
}

export const catalogsOf = (options: TargetOptions) => [
  targetCatalog(options.name ?? 'resumable'),
  ...(options.extraCatalog ? [options.extraCatalog] : []),
];

export function createServer(options: TargetOptions): McpServer {
  const { info, instructions } = introduction(options);
  const tasks = options.sessionTasks;
  const mcp = new McpServer(info, {
    capabilities: { logging: {}, ...(tasks && { tasks: TASK_CAPABILITY }) },
    instructions,
    ...tasks?.sdk,
  });
  serveTools(mcp, {
    tools: () => toolsOf(options),
    log: options.log ?? silent,
    answerTimeoutMs: options.answerTimeoutMs,
    ...(tasks && { tasks }),
  });
  for (const catalog of catalogsOf(options)) serveCatalog(mcp, catalog);
  serveWatched(mcp);
  options.decorate?.(mcp);
  return mcp;
}
