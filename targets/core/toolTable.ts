/** Tools as data: what a list shows, and what a call runs. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { LogSink } from './log.ts';
import { loggedTool } from './loggedTool.ts';
import { RpcFault, toolError, type ToolContext } from './toolContext.ts';

/** Whether a call may, must or must not become a task; 2025-11-25 says it in the list, 2026-07-28 leaves it to the server. */
export type TaskSupport = 'optional' | 'required' | 'forbidden';

export interface ToolDefinition {
  readonly tool: Tool;
  readonly run: (args: unknown, context: ToolContext) => Promise<CallToolResult>;
  /** `optional` if left out. */
  readonly taskSupport?: TaskSupport;
  /** What the tool needs to know first is asked by the call itself; the task begins with the answers. */
  readonly asksBeforeTask?: boolean;
}

export interface ToolSource<Input extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output?: z.ZodObject;
  readonly annotations?: Tool['annotations'];
  readonly taskSupport?: TaskSupport;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly run: (args: z.infer<Input>, context: ToolContext) => Promise<CallToolResult>;
}

export function defineTool<Input extends z.ZodObject>(source: ToolSource<Input>): ToolDefinition {
  const { name, title, description, input, output, annotations, taskSupport, meta, run } = source;
  return {
    tool: {
      name,
      title,
      description,
      inputSchema: jsonSchema(input),
      ...(output && { outputSchema: jsonSchema(output) }),
      ...(annotations && { annotations: { title, ...annotations } }),
      ...(meta && { _meta: { ...meta } }),
    },
    ...(taskSupport && { taskSupport }),
    run: async (args, context) => {
      const parsed = input.safeParse(args ?? {});
      // A model can correct what it is told in a result (2025-11-25, "Tools", "Error Handling").
      if (!parsed.success) return toolError(`Invalid arguments: ${z.prettifyError(parsed.error)}`);
      return run(parsed.data, context);
    },
  };
}

const INVALID_PARAMS = -32602;

export function findTool(tools: readonly ToolDefinition[], name: string): ToolDefinition {
  const found = tools.find(({ tool }) => tool.name === name);
  if (!found) throw new RpcFault(INVALID_PARAMS, `Unknown tool: ${name}`);
  return found;
}

/** Runs a tool: what it throws becomes a tool error, unless it is meant for the protocol. */
export async function runTool(
  definition: ToolDefinition,
  args: unknown,
  context: ToolContext,
  log: LogSink,
  isForProtocol: (error: unknown) => boolean = (error) => error instanceof RpcFault,
): Promise<CallToolResult> {
  try {
    return await loggedTool(definition.tool.name, context, log, (logged) => definition.run(args, logged));
  } catch (error) {
    if (isForProtocol(error)) throw error;
    return toolError(error instanceof Error ? error.message : String(error));
  }
}

function jsonSchema(schema: z.ZodObject): Tool['inputSchema'] {
  return { ...z.toJSONSchema(schema, { io: 'input' }), type: 'object' } as Tool['inputSchema'];
}
