/** Tasks of 2025-11-25, where they are part of the core: the client asks for one with the call, and fetches the result. */
import { InMemoryTaskMessageQueue } from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js';
import type { TaskStore } from '@modelcontextprotocol/sdk/experimental/tasks/interfaces.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ProtocolOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  McpError,
  type CallToolResult,
  type CreateTaskResult,
  type Result,
  type ServerCapabilities,
  type Task,
} from '@modelcontextprotocol/sdk/types.js';
import { askClient, clientCan } from '../sessionAsk.ts';
import { RpcFault } from '../toolContext.ts';
import type { ToolDefinition } from '../toolTable.ts';
import { runTask, type TaskRun } from './runTask.ts';
import { type TargetTask, type TaskLedger, type TaskSettings } from './taskLedger.ts';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

export const TASK_CAPABILITY: NonNullable<ServerCapabilities['tasks']> = {
  list: {},
  cancel: {},
  requests: { tools: { call: {} } },
};

export interface SessionTasks {
  readonly ledger: TaskLedger;
  readonly settings: () => TaskSettings;
  /** What a server of the SDK takes. */
  readonly sdk: Pick<ProtocolOptions, 'taskStore' | 'taskMessageQueue'>;
}

/** One for all sessions, so that a task outlives the session that began it. */
export function createSessionTasks(ledger: TaskLedger, settings: () => TaskSettings): SessionTasks {
  return {
    ledger,
    settings,
    sdk: { taskStore: storeOf(ledger), taskMessageQueue: new InMemoryTaskMessageQueue() },
  };
}

/** The tool's part of the list. */
export const executionOf = ({ taskSupport = 'forbidden' }: ToolDefinition) => ({
  execution: { taskSupport },
});

/** @throws RpcFault where the call should have been asked for in the other way (2025-11-25, "Tool-Level Negotiation"). */
export function checkTaskUse({ tool, taskSupport = 'forbidden' }: ToolDefinition, isTask: boolean): void {
  if (taskSupport === 'required' && !isTask)
    throw new RpcFault(METHOD_NOT_FOUND, `${tool.name} runs only as a task`);
  if (taskSupport === 'forbidden' && isTask)
    throw new RpcFault(METHOD_NOT_FOUND, `${tool.name} does not run as a task`);
}

export function startSessionTask(
  mcp: McpServer,
  ledger: TaskLedger,
  call: Pick<TaskRun, 'definition' | 'args' | 'log'>,
  settings: TaskSettings,
): CreateTaskResult {
  const task = ledger.create(call.definition.tool.name, settings);
  const stopTelling = ledger.onChange((changed) => {
    if (changed.id === task.id) tellStatus(mcp, changed);
  });
  const related = { relatedTask: { taskId: task.id } };
  void runTask(ledger, task, {
    ...call,
    can: clientCan(mcp),
    ask: async (requests) => {
      ledger.showWaiting(task.id, true);
      const answers = await askClient(requests, (request, schema, options) =>
        mcp.server.request(request, schema, { ...options, ...related, signal: task.signal }),
      );
      ledger.showWaiting(task.id, false);
      return answers;
    },
  }).finally(stopTelling);
  return { task: onWire(task) };
}

/** Nobody may be there to hear it: clients must not rely on it either. */
function tellStatus(mcp: McpServer, task: TargetTask): void {
  mcp.server
    .notification({ method: 'notifications/tasks/status', params: onWire(task) })
    .catch(() => undefined);
}

function onWire({ id, state, message, createdAt, updatedAt, ttlMs, pollIntervalMs }: TargetTask): Task {
  return {
    taskId: id,
    status: state.name,
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}

/** What the call would have been answered with (2025-11-25, "Retrieving Task Results"). */
function resultOf({ id, state }: TargetTask): CallToolResult {
  if (state.name === 'completed') return state.result;
  if (state.name === 'failed') throw new McpError(state.fault.code, state.fault.message, state.fault.data);
  throw new McpError(INVALID_PARAMS, `Task ${id} was ${state.name} and has no result`);
}

/** The SDK answers `tasks/*` from here; tasks are made by the call of a tool, never by the store. */
function storeOf(ledger: TaskLedger): TaskStore {
  const notHere = () => Promise.reject(new Error('Tasks are made by the tool'));
  return {
    createTask: notHere,
    storeTaskResult: notHere,
    getTask: async (taskId) => {
      const task = ledger.find(taskId);
      return task ? onWire(task) : null;
    },
    getTaskResult: async (taskId): Promise<Result> => resultOf(ledger.demand(taskId)),
    updateTaskStatus: async (taskId, status) => {
      if (status === 'cancelled') ledger.settle(taskId, { name: 'cancelled' });
      else ledger.showWaiting(taskId, status === 'input_required');
    },
    listTasks: async () => ({ tasks: ledger.all.map(onWire) }),
  };
}
