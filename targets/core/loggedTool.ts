/** Tells the log how the run of a tool goes: called, what it asks of the client, and how it ends. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { LogSink } from './log.ts';
import type { InputRequest, ToolContext } from './toolContext.ts';

const QUESTIONS = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const satisfies Record<InputRequest['method'], string>;

/** JSON-RPC code of a request that nobody has answered in time. */
const REQUEST_TIMEOUT = -32001;

export async function loggedTool(
  tool: string,
  context: ToolContext,
  log: LogSink,
  run: (context: ToolContext) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  log({ event: 'tool.called', tool });
  try {
    const result = await run({ ...context, ask: loggedAsk(tool, context, log) });
    if (context.signal.aborted) log({ event: 'tool.cancelled', tool });
    else if (result.isError) log({ event: 'tool.failed', tool, message: textOf(result) });
    else log({ event: 'tool.finished', tool });
    return result;
  } catch (error) {
    if (context.signal.aborted) log({ event: 'tool.cancelled', tool });
    // A tool that has to wait for answers is run again with them: it hasn't ended.
    else if (!isQuestion(error)) log({ event: 'tool.failed', tool, message: messageOf(error) });
    throw error;
  }
}

function loggedAsk(tool: string, context: ToolContext, log: LogSink): ToolContext['ask'] {
  return async (requests) => {
    const kinds = Object.values<InputRequest>(requests).map(({ method }) => QUESTIONS[method]);
    for (const kind of kinds) log({ event: `${kind}.requested`, tool });
    try {
      const answers = await context.ask(requests);
      for (const kind of kinds) log({ event: `${kind}.answered`, tool });
      return answers;
    } catch (error) {
      if (isTimeout(error)) for (const kind of kinds) log({ event: `${kind}.expired`, tool });
      throw error;
    }
  };
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === REQUEST_TIMEOUT;

const isQuestion = (error: unknown) => error instanceof Error && error.name === 'InputNeeded';

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function textOf({ content }: CallToolResult): string | undefined {
  const first = content[0];
  return first?.type === 'text' ? first.text : undefined;
}
