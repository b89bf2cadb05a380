/** Up to 2025-11-25: the session says who asks, so a request carries only what it is about. */
import type { ServerCapabilities, Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { EraRequests, Sent, ToolCall } from './requests.ts';

export class SessionRequests implements EraRequests {
  readonly era = 'session';
  readonly tasks: 'core' | undefined;

  constructor(capabilities: ServerCapabilities) {
    this.tasks = capabilities.tasks?.requests?.tools?.call === undefined ? undefined : 'core';
  }

  callParams({ callId, tool: name, args, meta }: ToolCall, tool: Tool | undefined): Sent {
    return {
      params: {
        name,
        arguments: { ...args },
        _meta: { ...meta, progressToken: callId },
        ...(this.#becomesTask(tool) && { task: {} }),
      },
      headers: {},
    };
  }

  params(params: JsonObject): JsonObject {
    return params;
  }

  /** MCP 2025-11-25, Tasks: only a tool that says so. A task outlives the page on servers that replay nothing, too. */
  #becomesTask(tool: Tool | undefined): boolean {
    const support = tool?.execution?.taskSupport;
    return this.tasks !== undefined && (support === 'required' || support === 'optional');
  }
}
