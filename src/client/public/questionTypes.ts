/** What a server asks an app. Types only. */
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '@modelcontextprotocol/client';

export type Question = Elicitation | Sampling;

export interface Elicitation {
  readonly id: string;
  readonly method: 'elicitation/create';
  readonly params: ElicitRequestFormParams | ElicitRequestURLParams;
  /** The call that waits for the answer, where the server says so. */
  readonly callId: string | undefined;
  readonly askedAt: number;
}

export interface Sampling {
  readonly id: string;
  readonly method: 'sampling/createMessage';
  readonly params: CreateMessageRequestParams;
  readonly callId: string | undefined;
  readonly askedAt: number;
}

/** What `client.answer()` takes for a question. */
export type Answer<Q extends Question> = Q extends Elicitation
  ? ElicitResult
  : CreateMessageResult | CreateMessageResultWithTools;
