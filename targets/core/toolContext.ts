/**
 * What a tool needs of the protocol, and nothing of how a revision does it: so that one definition of a tool serves a
 * session, a request that stands alone, and a task.
 */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export type Capability = 'elicitation' | 'sampling' | 'roots';

/** A request to the client: the same words in every revision. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

export type Answer = Readonly<Record<string, unknown>>;

export interface ToolContext {
  /** The call was cancelled, by whatever cancels in its revision. */
  readonly signal: AbortSignal;
  /** Whether the client wants to hear of progress. */
  readonly wantsProgress: boolean;
  progress(progress: number, total: number, message: string): Promise<void>;
  log(logger: string, data: unknown): Promise<void>;
  can(capability: Capability): boolean;
  /**
   * Asks the client, all at once, and resolves when everything is answered. Where answers come with a new request, the
   * tool is run again from its start: whatever it does before must be fit for that.
   */
  ask<Key extends string>(
    requests: Readonly<Record<Key, InputRequest>>,
  ): Promise<Readonly<Record<Key, Answer>>>;
  /** Ends the connection of the call, not the call; where there is a way back. */
  closeStream?(): void;
  /** Tells whoever listens that a list has changed; where somebody can listen. */
  announceChange?(list: 'tools' | 'prompts'): void;
}

/** A JSON-RPC error instead of a result. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A form of a few fields. */
export const formRequest = (message: string, requestedSchema: object): InputRequest => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
});

export const samplingRequest = (prompt: string, maxTokens: number): InputRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
});

/** What an accepted form holds; `undefined` if it was declined, cancelled, or is no form. */
export function acceptedForm(answer: Answer | undefined): Answer | undefined {
  const content = answer?.['content'];
  const isAccepted = answer?.['action'] === 'accept' && typeof content === 'object' && content !== null;
  return isAccepted ? (content as Answer) : undefined;
}

/** The text of a sampled message. */
export function sampledText(answer: Answer): string {
  const content = answer['content'] as { type?: string; text?: string } | undefined;
  return content?.text ?? `(${content?.type ?? 'nothing'}) from ${String(answer['model'])}`;
}
