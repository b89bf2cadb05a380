/** The tools of 2026-07-28 that the public conformance suite looks for: questions in rounds, capabilities, changes. */
import { z } from 'zod';
import {
  acceptedForm,
  formRequest,
  sampledText,
  samplingRequest,
  textResult,
  type Answer,
  type InputRequest,
  type ToolContext,
} from '../core/toolContext.ts';
import { defineTool, type ToolDefinition } from '../core/toolTable.ts';

const nothing = z.object({});

const tool = (
  name: string,
  description: string,
  run: (context: ToolContext) => Promise<string>,
): ToolDefinition =>
  defineTool({
    name,
    title: name,
    description,
    input: nothing,
    run: async (_args, context) => textResult(await run(context)),
  });

const field = (message: string, name: string, type: 'string' | 'boolean' = 'string') =>
  formRequest(message, { type: 'object', properties: { [name]: { type } }, required: [name] });

const said = (answer: Answer | undefined, name: string) => String(acceptedForm(answer)?.[name]);

const LIST_ROOTS: InputRequest = { method: 'roots/list' };
const rootsIn = (answer: Answer) => (answer['roots'] as { uri: string }[]).map(({ uri }) => uri);

const inputTools = [
  tool('test_input_required_result_elicitation', 'Asks for a name.', async (context) => {
    const { user_name } = await context.ask({ user_name: field('What is your name?', 'name') });
    return `Hello, ${said(user_name, 'name')}!`;
  }),
  tool('test_input_required_result_sampling', 'Asks a model.', async (context) => {
    const { capital_question } = await context.ask({
      capital_question: samplingRequest('What is the capital of France?', 100),
    });
    return `Sampling response: ${sampledText(capital_question)}`;
  }),
  tool('test_input_required_result_list_roots', 'Asks for roots.', async (context) => {
    const { client_roots } = await context.ask({ client_roots: LIST_ROOTS });
    return `Roots: ${rootsIn(client_roots).join(', ')}`;
  }),
  tool('test_input_required_result_request_state', 'Keeps a state between two rounds.', async (context) => {
    const { confirm } = await context.ask({ confirm: field('Please confirm', 'ok', 'boolean') });
    return `state-ok: ${String(confirm['action'])}`;
  }),
  tool('test_input_required_result_tampered_state', 'Trusts only its own state.', async (context) => {
    const { confirm } = await context.ask({ confirm: field('Please confirm', 'ok', 'boolean') });
    return `integrity-ok: ${String(confirm['action'])}`;
  }),
  tool('test_input_required_result_multiple_inputs', 'Asks three things at once.', async (context) => {
    const { user_name, greeting, client_roots } = await context.ask({
      user_name: field('What is your name?', 'name'),
      greeting: samplingRequest('Generate a greeting', 50),
      client_roots: LIST_ROOTS,
    });
    return `${sampledText(greeting)} ${said(user_name, 'name')}, ${rootsIn(client_roots).length} roots`;
  }),
  tool('test_input_required_result_multi_round', 'Asks two things, one after the other.', async (context) => {
    const { step1 } = await context.ask({ step1: field('Step 1: What is your name?', 'name') });
    const { step2 } = await context.ask({ step2: field('Step 2: What is your favorite color?', 'color') });
    return `${said(step1, 'name')} likes ${said(step2, 'color')}`;
  }),
  tool(
    'test_input_required_result_capabilities',
    'Asks only what the client can answer.',
    async (context) => {
      const asked: Record<string, InputRequest> = {
        ...(context.can('elicitation') && { user_name: field('What is your name?', 'name') }),
        ...(context.can('sampling') && { greeting: samplingRequest('Generate a short greeting', 50) }),
        ...(context.can('roots') && { client_roots: LIST_ROOTS }),
      };
      const answers = await context.ask(asked);
      return `${Object.keys(answers).length} answers`;
    },
  ),
];

const statelessTools = [
  tool('test_missing_capability', 'Needs sampling, and does not look first.', async (context) => {
    const { answer } = await context.ask({ answer: samplingRequest('Reply with the word pong', 16) });
    return sampledText(answer);
  }),
  tool('test_streaming_elicitation', 'Streams, and asks nothing on the stream.', async (context) => {
    await context.progress(1, 1, 'streamed');
    return 'Nothing but this was on the stream.';
  }),
  tool('test_logging_tool', 'Sends a log message if the client requested the level.', async (context) => {
    await context.log('conformance', 'test_logging_tool runs');
    return 'Logged.';
  }),
  tool('test_trigger_tool_change', 'Sends notifications/tools/list_changed.', async (context) => {
    context.announceChange?.('tools');
    return 'Announced.';
  }),
  tool('test_trigger_prompt_change', 'Sends notifications/prompts/list_changed.', async (context) => {
    context.announceChange?.('prompts');
    return 'Announced.';
  }),
];

export const ROUND_TRIP_TOOLS: readonly ToolDefinition[] = [...inputTools, ...statelessTools];
