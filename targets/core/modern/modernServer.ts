/** The MCP server of one request of 2026-07-28: made for it, and gone with its answer. */
import {
  fromJsonSchema,
  McpServer,
  type CallToolResult,
  type InputRequiredResult,
  type JsonSchemaType,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { silent, type LogSink } from '../log.ts';
import type { TargetOptions } from '../options.ts';
import { catalogsOf, introduction } from '../server.ts';
import { findTool, runTool, type ToolDefinition } from '../toolTable.ts';
import { RpcFault } from '../toolContext.ts';
import { serveModernCatalog } from './modernCatalog.ts';
import { tasksNotDeclared } from './modernTasks.ts';
import { inRounds, type Rounds } from './inRounds.ts';
import { InputNeeded } from './requestContext.ts';

const MINUTE_MS = 60_000;
const CACHE_HINTS = {
  'server/discover': { ttlMs: 60 * MINUTE_MS, cacheScope: 'public' },
  'tools/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' },
  'prompts/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' },
  'resources/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' },
  'resources/templates/list': { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' },
  'resources/read': { ttlMs: MINUTE_MS, cacheScope: 'private' },
} as const;

const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

export interface ModernServerOptions {
  readonly target: TargetOptions;
  readonly tools: readonly ToolDefinition[];
  readonly rounds: Rounds;
  readonly extensions: Readonly<Record<string, object>>;
}

export function createModernServer({ target, tools, rounds, extensions }: ModernServerOptions): McpServer {
  const { info, instructions } = introduction(target);
  const mcp = new McpServer(info, {
    capabilities: {
      ...CAPABILITIES,
      ...(Object.keys(extensions).length > 0 && { extensions }),
    } as ServerCapabilities,
    instructions,
    cacheHints: CACHE_HINTS,
    requestState: { verify: (state, ctx) => rounds.seal.codec.verify(state, ctx) },
  });
  for (const definition of tools) listTool(mcp, definition);
  for (const catalog of catalogsOf(target)) serveModernCatalog(mcp, catalog, rounds);
  // The high-level handler makes a tool result of every error, and a target must be able to answer with a JSON-RPC error.
  mcp.server.setRequestHandler('tools/call', ({ params }, ctx) =>
    callTool(findTool(tools, params.name), params.arguments, ctx, rounds, target.log ?? silent),
  );
  return mcp;
}

/** Tools check their arguments themselves: compiling every schema for every request would be the slowest part of it. */
const unchecked = { getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }) };

/** For the list, and for the check of `Mcp-Param-*` headers that comes before the call. */
function listTool(mcp: McpServer, { tool }: ToolDefinition): void {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  mcp.registerTool(
    name,
    {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema: fromJsonSchema(inputSchema as JsonSchemaType, unchecked as never),
      ...(outputSchema && {
        outputSchema: fromJsonSchema(outputSchema as JsonSchemaType, unchecked as never),
      }),
      ...(annotations && { annotations }),
    },
    () => {
      throw new Error('Calls are handled by the low-level server');
    },
  );
}

function callTool(
  definition: ToolDefinition,
  args: unknown,
  ctx: ServerContext,
  rounds: Rounds,
  log: LogSink,
): Promise<CallToolResult | InputRequiredResult> {
  // A tool that runs only as a task gets here when the request does not allow one.
  if (definition.taskSupport === 'required' && !definition.asksBeforeTask) throw tasksNotDeclared();
  const isForProtocol = (error: unknown) => error instanceof RpcFault || error instanceof InputNeeded;
  return inRounds(definition.tool.name, ctx, rounds, (context) =>
    runTool(definition, args, context, log, isForProtocol),
  );
}
