/**
 * What differs between the ways of the protocol, in one place for each: sessions (up to 2025-11-25), 2026-07-28, and the
 * old HTTP+SSE transport. A connection has one driver; everybody else asks it, and not which way it is.
 */
import type { JSONRPCNotification, Tool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { Era } from '../../log/protocol/era.ts';
import type { TaskGeneration } from '../../log/protocol/task.ts';
import type { AskedMethod } from '../../log/state/call.ts';
import type { Round } from '../../log/state/callContinuations.ts';
import type { Sorted } from './listItems.ts';

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

export interface Sent {
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

/** The requests that a driver makes to carry out what the user wants. */
export interface DriverPort {
  request(method: string, params: JsonObject): Promise<JsonObject>;
  notify(method: string): Promise<void>;
  /** As a call: the server may ask before it answers. */
  requestWithInput(method: AskedMethod, name: string, args: object): Promise<JsonObject>;
  /** Opens the stream of changes for what is wanted now. */
  listenAgain(): void;
}

export interface ProtocolDriver {
  /** As it is recorded. */
  readonly era: Era;
  /** Recorded with each call, for the page that finds it open. */
  readonly callFacts: { readonly era?: 'stateless' };
  /** Which generation of tasks the server offers, if it offers any. */
  readonly tasks: TaskGeneration | undefined;
  /** Do IDs of SSE events mean anything? */
  readonly hasEventIds: boolean;
  /** Does the end of its stream cancel a request? */
  readonly closeCancels: boolean;
  /** The parameters of a call, and the headers that go with them. */
  callParams(call: ToolCall, tool: Tool | undefined): Sent;
  /** What any other request carries. */
  params(params: JsonObject): JsonObject;
  /** What tells the server of a cancellation, where closing the stream doesn't. */
  cancellation(callId: string, reason: string): JSONRPCNotification | undefined;
  /** The tools of a list that may be called. */
  usableTools(tools: Sorted<Tool>): Sorted<Tool>;
  readResource(uri: string, port: DriverPort): Promise<JsonObject>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, port: DriverPort): Promise<JsonObject>;
  /** @returns `later` where the server says with its stream what it agrees to */
  subscribe(uri: string, port: DriverPort): Promise<'agreed' | 'later'>;
  unsubscribe(uri: string, port: DriverPort): Promise<void>;
  setLevel(level: string, port: DriverPort): Promise<'agreed'>;
  rootsChanged(port: DriverPort): Promise<void>;
}
