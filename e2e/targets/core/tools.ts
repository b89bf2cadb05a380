/** The tools that every profile has. */
import { CreateMessageResultSchema, ElicitResultSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { defineTool, textResult, toolError, type ToolDefinition, type ToolExtra } from './toolTable.ts';
import { pause } from './pause.ts';

/** People answer slowly, and a page may be reloaded before they do. */
const ANSWER_TIMEOUT_MS = 10 * 60 * 1000;

/** How many notifications go out before the event loop may send them. */
const BURST_SLICE = 500;

const milliseconds = z.number().int().min(0).max(600_000);
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

async function sendProgress(
  extra: ToolExtra,
  progress: number,
  total: number,
  message: string,
): Promise<void> {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  await extra.sendNotification({
    method: 'notifications/progress',
    params: { progressToken, progress, total, message },
  });
}

async function sendLog(extra: ToolExtra, logger: string, data: unknown): Promise<void> {
  await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', logger, data } });
}

const countdown = defineTool({
  name: 'countdown',
  title: 'Countdown',
  description: 'Waits, tick by tick; sends a progress notification and a log message at each.',
  input: z.object({
    ticks: z.number().int().min(0).max(100_000).default(10),
    intervalMs: milliseconds.default(500),
  }),
  output: z.object({ ticks: z.array(z.number().int()) }),
  annotations: readOnly,
  run: async ({ ticks, intervalMs }, extra) => {
    const done: number[] = [];
    for (let tick = 1; tick <= ticks; tick += 1) {
      await pause(intervalMs, extra.signal);
      await sendProgress(extra, tick, ticks, `tick ${tick} of ${ticks}`);
      await sendLog(extra, 'countdown', `tick ${tick} of ${ticks}`);
      done.push(tick);
    }
    return { content: [{ type: 'text', text: done.join(' ') }], structuredContent: { ticks: done } };
  },
});

const ask = defineTool({
  name: 'ask',
  title: 'Ask the user',
  description: 'Asks the user a question (elicitation) and repeats the answer.',
  input: z.object({ question: z.string().default('What is your name?') }),
  annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  run: async ({ question }, extra, mcp) => {
    if (!mcp.server.getClientCapabilities()?.elicitation) {
      return toolError('This client did not declare the elicitation capability.');
    }
    const reply = await extra.sendRequest(
      {
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: question,
          requestedSchema: {
            type: 'object',
            properties: { answer: { type: 'string', title: 'Answer', description: question } },
            required: ['answer'],
          },
        },
      },
      ElicitResultSchema,
      { timeout: ANSWER_TIMEOUT_MS },
    );
    const answer = reply.content?.['answer'];
    return textResult(answer === undefined ? reply.action : `${reply.action}: ${String(answer)}`);
  },
});

const sample = defineTool({
  name: 'sample',
  title: 'Sample a model',
  description: 'Asks the client for a completion (sampling) and repeats it.',
  input: z.object({ prompt: z.string().default('Say hello.') }),
  annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: true },
  run: async ({ prompt }, extra, mcp) => {
    if (!mcp.server.getClientCapabilities()?.sampling) {
      return toolError('This client did not declare the sampling capability.');
    }
    const reply = await extra.sendRequest(
      {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 256 },
      },
      CreateMessageResultSchema,
      { timeout: ANSWER_TIMEOUT_MS },
    );
    return textResult(
      reply.content.type === 'text' ? reply.content.text : `(${reply.content.type}) from ${reply.model}`,
    );
  },
});

const fail = defineTool({
  name: 'fail',
  title: 'Fail',
  description: 'Ends with a tool error: a result with isError.',
  input: z.object({ afterMs: milliseconds.default(0) }),
  annotations: readOnly,
  run: async ({ afterMs }, extra) => {
    await pause(afterMs, extra.signal);
    return toolError(`Failed on purpose after ${afterMs} ms`);
  },
});

const crash = defineTool({
  name: 'crash',
  title: 'Crash',
  description: 'Ends with a JSON-RPC error instead of a result.',
  input: z.object({ afterMs: milliseconds.default(0) }),
  annotations: readOnly,
  run: async ({ afterMs }, extra) => {
    await pause(afterMs, extra.signal);
    throw new McpError(CRASH_CODE, `Crashed on purpose after ${afterMs} ms`, { afterMs });
  },
});

/** In the range that JSON-RPC leaves to servers, and not used by MCP. */
const CRASH_CODE = -32050;

const burst = defineTool({
  name: 'burst',
  title: 'Burst',
  description:
    'Sends numbered progress notifications as fast as it can (log messages without a progress token).',
  input: z.object({ count: z.number().int().min(0).max(1_000_000).default(1000) }),
  output: z.object({ count: z.number().int() }),
  annotations: readOnly,
  run: async ({ count }, extra) => {
    const hasToken = extra._meta?.progressToken !== undefined;
    for (let number = 1; number <= count && !extra.signal.aborted; number += 1) {
      if (hasToken) await sendProgress(extra, number, count, `event ${number} of ${count}`);
      else await sendLog(extra, 'burst', { number, count });
      if (number % BURST_SLICE === 0) await pause(0, extra.signal);
    }
    return { content: [{ type: 'text', text: `${count} sent` }], structuredContent: { count } };
  },
});

const big = defineTool({
  name: 'big',
  title: 'Big result',
  description: 'Returns a text of the given size.',
  input: z.object({
    bytes: z
      .number()
      .int()
      .min(0)
      .max(100 * 1024 * 1024)
      .default(1_000_000),
  }),
  annotations: readOnly,
  run: async ({ bytes }) => textResult('0123456789abcdef'.repeat(Math.ceil(bytes / 16)).slice(0, bytes)),
});

export const TOOLS: readonly ToolDefinition[] = [countdown, ask, sample, fail, crash, burst, big];
