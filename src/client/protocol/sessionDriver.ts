/** Up to 2025-11-25: the session says who asks, so a request carries only what it is about. */
import type { JSONRPCNotification, ServerCapabilities, Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { DriverPort, ProtocolDriver, Sent, ToolCall } from './driver.ts';
import type { Sorted } from './listItems.ts';

export class SessionDriver implements ProtocolDriver {
  readonly era = 'session';
  readonly callFacts = {};
  readonly tasks: 'core' | undefined;
  readonly hasEventIds: boolean = true;
  readonly closeCancels = false;

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

  cancellation(requestId: string, reason: string): JSONRPCNotification {
    return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } };
  }

  usableTools(tools: Sorted<Tool>): Sorted<Tool> {
    return tools;
  }

  readResource(uri: string, port: DriverPort): Promise<JsonObject> {
    return port.request('resources/read', { uri });
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, port: DriverPort): Promise<JsonObject> {
    return port.request('prompts/get', { name, arguments: args });
  }

  async subscribe(uri: string, port: DriverPort): Promise<'agreed'> {
    await port.request('resources/subscribe', { uri });
    return 'agreed';
  }

  async unsubscribe(uri: string, port: DriverPort): Promise<void> {
    await port.request('resources/unsubscribe', { uri });
  }

  async setLevel(level: string, port: DriverPort): Promise<'agreed'> {
    await port.request('logging/setLevel', { level });
    return 'agreed';
  }

  rootsChanged(port: DriverPort): Promise<void> {
    return port.notify('notifications/roots/list_changed');
  }

  /** MCP 2025-11-25, Tasks: only a tool that says so. A task outlives the page on servers that replay nothing, too. */
  #becomesTask(tool: Tool | undefined): boolean {
    const support = tool?.execution?.taskSupport;
    return this.tasks !== undefined && (support === 'required' || support === 'optional');
  }
}
