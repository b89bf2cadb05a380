/** From 2026-07-28: every request stands by itself, and says who asks, in which revision, and what it can do. */
import type { ServerCapabilities, Tool } from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '../../base/json.ts';
import { envelope, type EnvelopeFacts } from './envelope.ts';
import { mirrorArguments } from './paramHeaders.ts';
import type { EraRequests, Sent, ToolCall } from './requests.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export class StatelessRequests implements EraRequests {
  readonly era = 'stateless';
  readonly tasks: 'extension' | undefined;
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
}

function subjectOf({ method, tool: name, args }: ToolCall): JsonObject {
  return method === 'resources/read' ? { uri: name } : { name, arguments: { ...args } };
}
