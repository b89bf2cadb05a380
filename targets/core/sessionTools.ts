/**
 * Tools of a session, on the low-level server. The high-level `registerTool` turns every thrown error into a tool
 * result, and a target must also be able to answer with a JSON-RPC error.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { LogSink } from './log.ts';
import { askClient, clientCan, type ToolExtra } from './sessionAsk.ts';
import { checkTaskUse, executionOf, startSessionTask } from './tasks/sessionTasks.ts';
import type { TaskLedger, TaskSettings } from './tasks/taskLedger.ts';
import { RpcFault, type ToolContext } from './toolContext.ts';
import { findTool, runTool, type ToolDefinition } from './toolTable.ts';

export interface ToolService {
  /** Read at each request, so a list that changes is a matter of the caller. */
  readonly tools: () => readonly ToolDefinition[];
  readonly log: LogSink;
  /** How long the client has for an answer. */
  readonly answerTimeoutMs?: number | undefined;
  /** Where there are tasks. */
  readonly tasks?: { readonly ledger: TaskLedger; readonly settings: () => TaskSettings };
}

export function serveTools(mcp: McpServer, service: ToolService): void {
  const { tools, tasks, log, answerTimeoutMs } = service;
  mcp.server.registerCapabilities({ tools: { listChanged: true } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools().map((definition) => ({ ...definition.tool, ...(tasks && executionOf(definition)) })),
  }));
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    withMcpErrors(async () => {
      const definition = findTool(tools(), params.name);
      const run = () =>
        runTool(definition, params.arguments, sessionContext(mcp, extra, answerTimeoutMs), log);
      if (!tasks) return run();
      checkTaskUse(definition, params.task !== undefined);
      if (!params.task) return run();
      const settings = tasks.settings();
      // The server decides in the end, and never keeps a task longer than it was asked to.
      const ttlMs = Math.min(params.task.ttl ?? Infinity, settings.ttlMs ?? Infinity);
      const kept = { ...settings, ttlMs: ttlMs === Infinity ? null : ttlMs };
      return startSessionTask(mcp, tasks.ledger, { definition, args: params.arguments, log }, kept);
    }),
  );
}

/** A fault as the SDK says it. */
async function withMcpErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RpcFault ? new McpError(error.code, error.message, error.data) : error;
  }
}

function sessionContext(mcp: McpServer, extra: ToolExtra, answerTimeoutMs: number | undefined): ToolContext {
  const { signal, closeSSEStream } = extra;
  const progressToken = extra._meta?.progressToken;
  return {
    signal,
    wantsProgress: progressToken !== undefined,
    progress: async (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      await extra.sendNotification({ method: 'notifications/progress', params });
    },
    log: (logger, data) =>
      extra.sendNotification({ method: 'notifications/message', params: { level: 'info', logger, data } }),
    can: clientCan(mcp),
    ask: (requests) => askClient(requests, extra.sendRequest, answerTimeoutMs),
    announceChange: (list) => void extra.sendNotification({ method: `notifications/${list}/list_changed` }),
    ...(closeSSEStream && { closeStream: closeSSEStream }),
  };
}
