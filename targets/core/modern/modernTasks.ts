/** Tasks of 2026-07-28, the extension `io.modelcontextprotocol/tasks`: the server decides which call becomes one. */
import {
  MissingRequiredClientCapabilityError,
  type McpServer,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { LogSink } from '../log.ts';
import { isRecord } from '../messages.ts';
import { runTask } from '../tasks/runTask.ts';
import type { TargetTask, TaskLedger, TaskSettings } from '../tasks/taskLedger.ts';
import type { Answer } from '../toolContext.ts';
import type { ToolDefinition } from '../toolTable.ts';
import { capabilitiesIn, capabilitiesOf, hasTasks, TASKS_EXTENSION } from './envelope.ts';
import { answersOf } from './requestContext.ts';
import type { CallState, StateSeal } from './requestState.ts';

/** Whether this request allows a task. */
export const declaresTasks = (params: unknown): boolean =>
  isRecord(params) && hasTasks(capabilitiesIn(params['_meta']));

export const tasksNotDeclared = () =>
  new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });

/** Whether the call becomes a task now: a tool that asks first does so when it has its answers. */
export function becomesTask(
  { taskSupport = 'forbidden', asksBeforeTask }: ToolDefinition,
  params: unknown,
): boolean {
  if (taskSupport === 'forbidden' || !declaresTasks(params)) return false;
  return !asksBeforeTask || (isRecord(params) && isRecord(params['inputResponses']));
}

interface TaskStart {
  readonly ledger: TaskLedger;
  readonly settings: TaskSettings;
  readonly seal: StateSeal;
  readonly log: LogSink;
}

/**
 * The SDK knows results of `tools/call` and checks each one against them. A task handle is none of them, so this call is
 * answered by the fallback handler, whose results are sent as they are.
 */
export function answerWithTask(
  mcp: McpServer,
  definition: ToolDefinition,
  { ledger, settings, seal, log }: TaskStart,
): void {
  mcp.server.removeRequestHandler('tools/call');
  mcp.server.fallbackRequestHandler = async ({ params }, ctx) => {
    const sealed = ctx.mcpReq.requestState();
    const state: CallState | undefined =
      typeof sealed === 'string' ? await seal.codec.verify(sealed, ctx) : undefined;
    const task = ledger.create(definition.tool.name, settings);
    void runTask(ledger, task, {
      definition,
      args: params?.['arguments'],
      log,
      can: (capability) => capability in capabilitiesOf(ctx),
      known: answersOf(ctx, state),
    });
    return { ...handle(task), resultType: 'task' };
  };
}

const Named = z.looseObject({ taskId: z.string() });
export function serveTaskMethods(mcp: McpServer, ledger: TaskLedger): void {
  const { server } = mcp;
  server.setRequestHandler('tasks/get', { params: Named }, ({ taskId }, ctx) => {
    checkDeclared(ctx);
    return detailed(ledger.demand(taskId));
  });
  server.setRequestHandler('tasks/update', { params: Named }, ({ taskId }, ctx) => {
    checkDeclared(ctx);
    ledger.answer(taskId, (ctx.mcpReq.inputResponses ?? {}) as Record<string, Answer>);
    return {};
  });
  server.setRequestHandler('tasks/cancel', { params: Named }, ({ taskId }, ctx) => {
    checkDeclared(ctx);
    ledger.demand(taskId);
    ledger.settle(taskId, { name: 'cancelled' });
    return {};
  });
}

function checkDeclared(ctx: ServerContext): void {
  if (!hasTasks(capabilitiesOf(ctx))) throw tasksNotDeclared();
}

function handle({ id, state, message, createdAt, updatedAt, ttlMs, pollIntervalMs }: TargetTask): Result {
  return {
    taskId: id,
    status: state.name,
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
  };
}

/** A task with everything that its state has to say. */
export function detailed(task: TargetTask): Result {
  const { state } = task;
  switch (state.name) {
    case 'input_required':
      return { ...handle(task), inputRequests: Object.fromEntries(state.requests) };
    case 'completed':
      return { ...handle(task), result: state.result };
    case 'failed': {
      const { code, message, data } = state.fault;
      return { ...handle(task), error: { code, message, ...(data !== undefined && { data }) } };
    }
    case 'working':
    case 'cancelled':
      return handle(task);
  }
}
