/** The tools that every profile has. */
import { z } from 'zod';
import { pause } from './pause.ts';
import {
  acceptedForm,
  formRequest,
  RpcFault,
  sampledText,
  samplingRequest,
  textResult,
  toolError,
  type Answer,
} from './toolContext.ts';
import { defineTool, type ToolDefinition } from './toolTable.ts';

/** How many notifications go out before the event loop may send them. */
const BURST_SLICE = 500;

const milliseconds = z.number().int().min(0).max(600_000);
const readOnly = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

const countdown = defineTool({
  name: 'countdown',
  taskSupport: 'optional',
  title: 'Countdown',
  description: 'Counts ticks. Sends a progress notification and a log message on each tick.',
  input: z.object({
    ticks: z.number().int().min(0).max(100_000).default(10),
    intervalMs: milliseconds.default(500),
  }),
  output: z.object({ ticks: z.array(z.number().int()) }),
  annotations: readOnly,
  run: async ({ ticks, intervalMs }, context) => {
    const done: number[] = [];
    for (let tick = 1; tick <= ticks; tick += 1) {
      await pause(intervalMs, context.signal);
      await context.progress(tick, ticks, `tick ${tick} of ${ticks}`);
      await context.log('countdown', `tick ${tick} of ${ticks}`);
      done.push(tick);
    }
    return { content: [{ type: 'text', text: done.join(' ') }], structuredContent: { ticks: done } };
  },
});

/** One line of text, in answer to a question. */
const questionForm = (question: string) =>
  formRequest(question, {
    type: 'object',
    properties: { answer: { type: 'string', title: 'Answer', description: question } },
    required: ['answer'],
  });

function answerWords(reply: Answer): string {
  const words = acceptedForm(reply)?.['answer'];
  return typeof words === 'string' ? `${String(reply['action'])}: ${words}` : String(reply['action']);
}

const ask = defineTool({
  name: 'ask',
  taskSupport: 'optional',
  title: 'Ask the user',
  description: 'Asks the user a question (elicitation) and returns the answer.',
  input: z.object({ question: z.string().default('What is your name?') }),
  annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  run: async ({ question }, context) => {
    if (!context.can('elicitation')) {
      return toolError("This client didn't declare the elicitation capability.");
    }
    const { answer } = await context.ask({ answer: questionForm(question) });
    return textResult(answerWords(answer));
  },
});

const sample = defineTool({
  name: 'sample',
  taskSupport: 'optional',
  title: 'Sample a model',
  description: 'Requests a completion from the client (sampling) and returns it.',
  input: z.object({ prompt: z.string().default('Say hello.') }),
  annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: true },
  run: async ({ prompt }, context) => {
    if (!context.can('sampling')) {
      return toolError("This client didn't declare the sampling capability.");
    }
    const { completion } = await context.ask({ completion: samplingRequest(prompt, 256) });
    return textResult(sampledText(completion));
  },
});

const fail = defineTool({
  name: 'fail',
  taskSupport: 'optional',
  title: 'Fail',
  description: 'Returns a tool error (isError: true).',
  input: z.object({ afterMs: milliseconds.default(0) }),
  annotations: readOnly,
  run: async ({ afterMs }, context) => {
    await pause(afterMs, context.signal);
    return toolError(`Failed on purpose after ${afterMs} ms`);
  },
});

const crash = defineTool({
  name: 'crash',
  taskSupport: 'optional',
  title: 'Crash',
  description: 'Returns a JSON-RPC error.',
  input: z.object({ afterMs: milliseconds.default(0) }),
  annotations: readOnly,
  run: async ({ afterMs }, context) => {
    await pause(afterMs, context.signal);
    throw new RpcFault(CRASH_CODE, `Crashed on purpose after ${afterMs} ms`, { afterMs });
  },
});

/** In the range that JSON-RPC leaves to servers, and not used by MCP. */
const CRASH_CODE = -32050;

const burst = defineTool({
  name: 'burst',
  title: 'Burst',
  description:
    'Sends numbered progress notifications as fast as possible (or log messages, if there is no progress token).',
  input: z.object({ count: z.number().int().min(0).max(1_000_000).default(1000) }),
  output: z.object({ count: z.number().int() }),
  annotations: readOnly,
  run: async ({ count }, context) => {
    for (let number = 1; number <= count && !context.signal.aborted; number += 1) {
      if (context.wantsProgress) await context.progress(number, count, `event ${number} of ${count}`);
      else await context.log('burst', { number, count });
      if (number % BURST_SLICE === 0) await pause(0, context.signal);
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

/** Asks one question after the other: on 2026-07-28 a round for each, as a task an input for each. */
const interview = defineTool({
  name: 'interview',
  title: 'Interview the user',
  taskSupport: 'optional',
  description: 'Asks several questions in sequence and returns the answers.',
  input: z.object({ questions: z.number().int().min(1).max(10).default(3) }),
  annotations: { readOnlyHint: true, idempotentHint: false, openWorldHint: false },
  run: async ({ questions }, context) => {
    if (!context.can('elicitation')) {
      return toolError("This client didn't declare the elicitation capability.");
    }
    const said: string[] = [];
    for (let number = 1; number <= questions; number += 1) {
      const key = `question-${number}`;
      const { [key]: reply } = await context.ask({
        [key]: questionForm(`Question ${number} of ${questions}?`),
      });
      if (reply) said.push(answerWords(reply));
    }
    return textResult(said.join(' · '));
  },
});

/** As `countdown`, for clients that can wait elsewhere: a call that is no task is refused. */
const render = defineTool({
  name: 'render',
  title: 'Render a film',
  taskSupport: 'required',
  description: 'Renders frame by frame. Runs only as a task.',
  input: z.object({
    frames: z.number().int().min(1).max(10_000).default(10),
    frameMs: milliseconds.default(500),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async ({ frames, frameMs }, context) => {
    for (let frame = 1; frame <= frames; frame += 1) {
      await pause(frameMs, context.signal);
      await context.progress(frame, frames, `frame ${frame} of ${frames}`);
    }
    return textResult(`${frames} frames rendered`);
  },
});

/** Its region travels in a header too, for whoever routes requests without reading them (2026-07-28, "x-mcp-header"). */
const route = (header: string): ToolDefinition => ({
  tool: {
    name: 'route',
    title: 'Route by region',
    description: `Returns its region argument, which the client also sends as Mcp-Param-${header}.`,
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', description: 'Target region', 'x-mcp-header': header },
        weight: { type: 'integer', description: 'Not sent as a header' },
      },
      required: ['region'],
    },
    annotations: readOnly,
  },
  run: async (args) => textResult(`Routed to ${String((args as { region?: unknown }).region)}`),
});

/** What the newer revisions need to show all that they have. */
export const MODERN_TOOLS: readonly ToolDefinition[] = [interview, route('Region')];
/** What `route` becomes when its header is renamed under clients that know the old name. */
export const RENAMED_ROUTE = route('Zone');
export const TASK_TOOLS: readonly ToolDefinition[] = [render];

export const TOOLS: readonly ToolDefinition[] = [countdown, ask, sample, fail, crash, burst, big];
