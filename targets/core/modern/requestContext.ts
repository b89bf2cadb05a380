/** A tool in a request that stands alone: questions end the request, and the answers come with the next one. */
import type { ServerContext } from '@modelcontextprotocol/server';
import type { Answer, InputRequest, ToolContext } from '../toolContext.ts';
import { capabilitiesOf, logLevelOf } from './envelope.ts';
import { isAnswerTo } from './isAnswerTo.ts';
import type { CallState } from './requestState.ts';

/** Thrown through the tool, caught by whoever runs it. */
export class InputNeeded extends Error {
  override readonly name = 'InputNeeded';
  readonly requests: Readonly<Record<string, InputRequest>>;
  /** What is known already, and must not be asked again. */
  readonly answers: CallState['answers'];

  constructor(requests: Readonly<Record<string, InputRequest>>, answers: CallState['answers']) {
    super('The client has to answer first');
    this.requests = requests;
    this.answers = answers;
  }
}

/** Everything that the client has answered so far, in this round or in those before. */
export function answersOf(
  ctx: ServerContext,
  state: CallState | undefined,
): Readonly<Record<string, Answer>> {
  return { ...state?.answers, ...(ctx.mcpReq.inputResponses as Record<string, Answer> | undefined) };
}

export function requestContext(
  ctx: ServerContext,
  state: CallState | undefined,
  announceChange: NonNullable<ToolContext['announceChange']>,
): ToolContext {
  const { mcpReq } = ctx;
  const progressToken = mcpReq._meta?.progressToken;
  const given = answersOf(ctx, state);
  return {
    signal: mcpReq.signal,
    wantsProgress: progressToken !== undefined,
    progress: async (progress, total, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
    log: async (logger, data) => {
      if (!wantsInfo(logLevelOf(ctx))) return;
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', logger, data } });
    },
    can: (capability) => capability in capabilitiesOf(ctx),
    announceChange,
    ask: async <Key extends string>(requests: Readonly<Record<Key, InputRequest>>) => {
      const missing = Object.entries<InputRequest>(requests).filter(
        ([key, request]) => !isAnswerTo(request, given[key]),
      );
      if (missing.length === 0) return given;
      const isMissing = new Set(missing.map(([key]) => key));
      const known = Object.entries(given).filter(([key]) => !isMissing.has(key));
      throw new InputNeeded(Object.fromEntries(missing), Object.fromEntries(known));
    },
  };
}

/** Log messages come only with a request that asks for them, at the level that it names or above. */
const wantsInfo = (level: unknown) => level === 'debug' || level === 'info';
