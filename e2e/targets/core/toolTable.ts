/**
 * Tools on the low-level server. The high-level `registerTool` turns every thrown error into a tool result, and a target
 * must also be able to answer with a JSON-RPC error.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ServerNotification,
  type ServerRequest,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

export type ToolExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface ToolDefinition {
  readonly tool: Tool;
  readonly run: (args: unknown, extra: ToolExtra, mcp: McpServer) => Promise<CallToolResult>;
}

export interface ToolSource<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output?: z.ZodObject;
  readonly annotations?: Tool['annotations'];
  readonly run: (args: z.infer<Input>, extra: ToolExtra, mcp: McpServer) => Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject>(source: ToolSource<Input>): ToolDefinition {
  const { name, title, description, input, output, annotations, run } = source;
  return {
    tool: {
      name,
      title,
      description,
      inputSchema: jsonSchema(input),
      ...(output && { outputSchema: jsonSchema(output) }),
      ...(annotations && { annotations: { title, ...annotations } }),
    },
    run: async (args, extra, mcp) => {
      const parsed = input.safeParse(args ?? {});
      // A model can correct what it is told in a result (2025-11-25, "Tools", "Error Handling").
      if (!parsed.success) return toolError(`Invalid arguments: ${z.prettifyError(parsed.error)}`);
      return run(parsed.data, extra, mcp);
    },
  };
}

/** `tools` is read at each request, so a list that changes is a matter of the caller. */
export function serveTools(mcp: McpServer, tools: () => readonly ToolDefinition[]): void {
  mcp.server.registerCapabilities({ tools: { listChanged: true } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools().map(({ tool }) => tool) }));
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const found = tools().find(({ tool }) => tool.name === params.name);
    if (!found) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    try {
      return await found.run(params.arguments, extra, mcp);
    } catch (error) {
      if (error instanceof McpError) throw error;
      return toolError(error instanceof Error ? error.message : String(error));
    }
  });
}

export function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function jsonSchema(schema: z.ZodObject): Tool['inputSchema'] {
  return { ...z.toJSONSchema(schema, { io: 'input' }), type: 'object' } as Tool['inputSchema'];
}
