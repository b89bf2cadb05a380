/** From 2026-07-28: every request stands by itself, and says who asks, in which revision, and what it can do. */
import type { ServerCapabilities, Tool } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { DriverPort, ProtocolDriver, Sent, ToolCall } from './driver.ts';
import { envelope, type EnvelopeFacts } from './envelope.ts';
import { leaveOutInvalid } from './leftOutTools.ts';
import type { Sorted } from './listItems.ts';
import { mirrorArguments } from './paramHeaders.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export class StatelessDriver implements ProtocolDriver {
  readonly era = 'stateless';
  readonly callFacts = { era: 'stateless' } as const;
  readonly tasks: 'extension' | undefined;
  readonly hasEventIds = false;
  readonly closeCancels = true;
  readonly #facts: () => EnvelopeFacts;

  /** The log level may change from request to request. */
  constructor(capabilities: ServerCapabilities, facts: () => EnvelopeFacts) {
    this.tasks = isObject(capabilities.extensions?.[TASKS_EXTENSION]) ? 'extension' : undefined;
    this.#facts = facts;
  }

  callParams(call: ToolCall, tool: Tool | undefined): Sent {
    const { callId, method, args, meta, round } = call;
    const { requestState, answers = {} } = round ?? {};
    return {
      params: {
        ...subjectOf(call),
        ...(Object.keys(answers).length > 0 && { inputResponses: answers }),
        ...(requestState !== undefined && { requestState }),
        _meta: { ...meta, ...envelope(this.#facts()), progressToken: callId },
      },
      headers: tool && method === undefined ? mirrorArguments(tool.inputSchema, args) : {},
    };
  }

  params(params: JsonObject): JsonObject {
    const meta = params['_meta'];
    return { ...params, _meta: { ...(isObject(meta) && meta), ...envelope(this.#facts()) } };
  }

  cancellation(): undefined {
    return undefined;
  }

  usableTools(tools: Sorted<Tool>): Sorted<Tool> {
    return leaveOutInvalid(tools);
  }

  readResource(uri: string, port: DriverPort): Promise<JsonObject> {
    return port.requestWithInput('resources/read', uri, {});
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, port: DriverPort): Promise<JsonObject> {
    return port.requestWithInput('prompts/get', name, args);
  }

  subscribe(_uri: string, port: DriverPort): Promise<'later'> {
    port.listenAgain();
    return Promise.resolve('later');
  }

  unsubscribe(_uri: string, port: DriverPort): Promise<void> {
    port.listenAgain();
    return Promise.resolve();
  }

  /** It goes with each request. */
  setLevel(): Promise<'agreed'> {
    return Promise.resolve('agreed');
  }

  /** The server asks whenever it needs to know. */
  rootsChanged(): Promise<void> {
    return Promise.resolve();
  }
}

function subjectOf({ method, tool: name, args }: ToolCall): JsonObject {
  return method === 'resources/read' ? { uri: name } : { name, arguments: { ...args } };
}
