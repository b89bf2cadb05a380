/** The tools that a page expects, as test servers offer them. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { pause } from '../../targets/core/pause.ts';
import type { ToolDefinition } from '../../targets/core/toolTable.ts';
import type { PlayTool } from '../playwright/wireTypes.ts';

const SECONDS = 3;
const MESSAGES = 12;

export const secondsOf = ({ seconds = SECONDS }: PlayTool): number => seconds;
export const messagesOf = ({ messages = MESSAGES }: PlayTool): number => messages;

export function playTool(name: string, tool: PlayTool): ToolDefinition {
  const messages = messagesOf(tool);
  const stepMs = (secondsOf(tool) * 1000) / (messages + 1);
  const result = tool.result ?? { content: [{ type: 'text', text: `${name} is done` }] };
  return {
    tool: {
      name,
      description: `Takes ${secondsOf(tool)} s and reports progress.`,
      inputSchema: (tool.inputSchema ?? { type: 'object' }) as Tool['inputSchema'],
    },
    taskSupport: 'optional',
    run: async (_args, context) => {
      for (let step = 1; step <= messages; step += 1) {
        await pause(stepMs, context.signal);
        const words = `${step} of ${messages}`;
        // Pages that ask for no progress get log messages, so that there is something to miss.
        if (context.wantsProgress) await context.progress(step, messages, words);
        else await context.log(name, words);
      }
      await pause(stepMs, context.signal);
      return result as CallToolResult;
    },
  };
}
