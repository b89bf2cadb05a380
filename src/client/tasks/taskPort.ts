/** Lets `@modelcontextprotocol/ext-tasks` speak over this connection: it knows how both generations word their requests. */
import '../../base/withoutEval.ts';
import {
  DispatchError,
  withTasks,
  type ConnectedMcpSessionPort,
  type SessionTaskCapabilities,
  type TaskController,
} from '@modelcontextprotocol/ext-tasks/client';
import { taskId as asTaskId, type JsonValue } from '@modelcontextprotocol/ext-tasks/core';
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { errorMessage } from '../../base/format.ts';
import type { TaskGeneration } from '../../log/protocol/task.ts';

export interface TaskWire {
  readonly server: string;
  readonly generation: TaskGeneration;
  /** `tasks` of the server's capabilities; the core generation says there what it offers. */
  readonly capabilities: JsonObject;
  /** Sends a request about a task, and resolves with the JSON-RPC answer. */
  readonly ask: (method: string, params: JsonObject) => Promise<JsonObject>;
}

const never = () => () => undefined;

/** Access to one task: its state, its cancellation, answers to what it asks. */
export function openTask(taskId: string, wire: TaskWire): TaskController {
  const port: ConnectedMcpSessionPort = {
    endpointId: wire.server,
    taskCapabilities: capabilitiesOf(wire),
    invalidated: false,
    // Requests and notifications of the server are read from the log, by whichever page is there.
    onServerRequest: never,
    onNotification: never,
    onInvalidated: never,
    async dispatch(request) {
      const method = stringField(request, 'method') ?? '';
      const params = objectField(request, 'params') ?? {};
      let answer: JsonObject;
      try {
        answer = await wire.ask(method, params);
      } catch (error) {
        throw new DispatchError(errorMessage(error), false, { cause: error });
      }
      return readResponse(answer);
    },
  };
  return withTasks(port, { tools: { currentTool: () => undefined } }).task(asTaskId(taskId));
}

function readResponse(answer: JsonObject): Awaited<ReturnType<ConnectedMcpSessionPort['dispatch']>> {
  const error = answer['error'];
  if (!isObject(error)) return { kind: 'result', result: answer['result'] as JsonValue };
  return {
    kind: 'error',
    error: { code: numberField(error, 'code') ?? 0, message: stringField(error, 'message') ?? '' },
  };
}

function capabilitiesOf({ generation, capabilities }: TaskWire): SessionTaskCapabilities {
  if (generation === 'extension') return { generation: 'v2', capabilities: {} };
  const { list, cancel } = capabilities;
  return {
    generation: 'v1',
    capabilities: {
      ...(isObject(list) && { list: {} }),
      ...(isObject(cancel) && { cancel: {} }),
      requests: { tools: { call: {} } },
    },
  };
}
