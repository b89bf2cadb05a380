/** The tools with tasks that the public conformance suite looks for. */
import { z } from 'zod';
import { pause } from '../core/pause.ts';
import { acceptedForm, formRequest, RpcFault, textResult, toolError } from '../core/toolContext.ts';
import { defineTool, type ToolDefinition } from '../core/toolTable.ts';

const INTERNAL_ERROR = -32603;
const JOB_MS = 1000;

const confirmation = (message: string) =>
  formRequest(message, {
    type: 'object',
    properties: { confirm: { type: 'boolean' } },
    required: ['confirm'],
  });

const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Never a task.',
  input: z.object({ name: z.string().default('World') }),
  run: async ({ name }) => textResult(`Hello, ${name}!`),
});

const slowCompute = defineTool({
  name: 'slow_compute',
  title: 'Slow computation',
  description: 'Takes the given number of seconds.',
  taskSupport: 'optional',
  input: z.object({ seconds: z.number().min(0).max(600).default(1), label: z.string().default('') }),
  run: async ({ seconds, label }, context) => {
    await pause(seconds * 1000, context.signal);
    return textResult(`Computed ${label} for ${seconds} s`);
  },
});

const failingJob = defineTool({
  name: 'failing_job',
  title: 'Failing job',
  description: 'Only a task; ends with a tool error.',
  taskSupport: 'required',
  input: z.object({}),
  run: async (_args, context) => {
    await pause(JOB_MS, context.signal);
    return toolError('This job always fails');
  },
});

const protocolErrorJob = defineTool({
  name: 'protocol_error_job',
  title: 'Broken job',
  description: 'Ends with a JSON-RPC error.',
  taskSupport: 'optional',
  input: z.object({}),
  run: async (_args, context) => {
    await pause(JOB_MS / 10, context.signal);
    throw new RpcFault(INTERNAL_ERROR, 'This job always breaks');
  },
});

const confirmDelete = defineTool({
  name: 'confirm_delete',
  title: 'Delete a file',
  description: 'Asks once, and deletes nothing.',
  taskSupport: 'optional',
  input: z.object({ filename: z.string().default('file.txt') }),
  run: async ({ filename }, context) => {
    const { confirmed } = await context.ask({ confirmed: confirmation(`Delete ${filename}?`) });
    return textResult(`${filename}: ${String(confirmed['action'])}`);
  },
});

const multiInput = defineTool({
  name: 'multi_input',
  title: 'Two questions at once',
  description: 'Asks two things at once, which may be answered one by one.',
  taskSupport: 'optional',
  input: z.object({}),
  run: async (_args, context) => {
    const { first, second } = await context.ask({
      first: confirmation('First?'),
      second: confirmation('Second?'),
    });
    return textResult(`${String(first['action'])}, ${String(second['action'])}`);
  },
});

/** Asks by the call itself; the task begins when the answer is there (SEP-2663, "MRTR and tasks"). */
const toolWithTask: ToolDefinition = {
  ...defineTool({
    name: 'test_tool_with_task',
    title: 'Ask, then work',
    description: 'Asks for a name first, and continues as a task.',
    taskSupport: 'required',
    input: z.object({}),
    run: async (_args, context) => {
      const { user_name } = await context.ask({
        user_name: formRequest('What is your name?', {
          type: 'object',
          properties: { name: { type: 'string' } },
          required: ['name'],
        }),
      });
      await pause(JOB_MS / 10, context.signal);
      return textResult(`Done for ${String(acceptedForm(user_name)?.['name'])}`);
    },
  }),
  asksBeforeTask: true,
};

export const TASK_FIXTURES: readonly ToolDefinition[] = [
  greet,
  slowCompute,
  failingJob,
  protocolErrorJob,
  confirmDelete,
  multiInput,
  toolWithTask,
];
