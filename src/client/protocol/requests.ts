/** What differs between the two ways of the protocol in what a connection sends. One of these for each connection. */
import type { Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { AskedMethod } from '../../log/state/call.ts';
import type { Era } from '../../log/protocol/era.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import type { TaskGeneration } from '../../log/protocol/task.ts';

export interface ToolCall {
  readonly callId: string;
  /** Of this request: a call that is asked again has more than one. */
  readonly wireId: string;
  /** `tools/call` if left out. */
  readonly method?: AskedMethod | undefined;
  /** What is asked for: the tool, the prompt or the resource. */
  readonly tool: string;
  readonly args: object;
  /** The user's own `_meta`: what the protocol needs goes over it. */
  readonly meta?: object;
  /** What the server asked, with the answers. */
  readonly round?: Round;
}

export interface EraRequests {
  readonly era: Era;
  /** Which generation of tasks the server offers, if it offers any. */
  readonly tasks: TaskGeneration | undefined;
  /** The parameters of a call, and the headers that go with them. */
  callParams(call: ToolCall, tool: Tool | undefined): Sent;
  /** What any other request carries. */
  params(params: JsonObject): JsonObject;
}

export interface Sent {
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}
