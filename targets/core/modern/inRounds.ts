/** A request that may have to ask first: its questions are its answer, and the next one brings what was said to them. */
import {
  inputRequired,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { RpcFault, type ToolContext } from '../toolContext.ts';
import { InputNeeded, requestContext } from './requestContext.ts';
import type { CallState, StateSeal } from './requestState.ts';

const INVALID_PARAMS = -32602;

export interface Rounds {
  readonly seal: StateSeal;
  readonly announceChange: NonNullable<ToolContext['announceChange']>;
}

/** `name`: of the tool or the prompt; a state of another one is refused. */
export async function inRounds<T>(
  name: string,
  ctx: ServerContext,
  { seal, announceChange }: Rounds,
  work: (context: ToolContext) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const state = ctx.mcpReq.requestState<CallState>();
  if (state && state.name !== name)
    throw new RpcFault(INVALID_PARAMS, 'This requestState belongs to another request');
  try {
    return await work(requestContext(ctx, state, announceChange));
  } catch (error) {
    if (!(error instanceof InputNeeded)) throw error;
    return inputRequired({
      inputRequests: error.requests as InputRequests,
      requestState: await seal.codec.mint({ name, answers: error.answers }, ctx),
    });
  }
}
