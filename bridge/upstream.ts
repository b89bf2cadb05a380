/** The server's side of a bridged session: a process, or an HTTP server whose streams the bridge holds. */
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { BridgeProcess, BridgeStderrLine } from '../src/base/bridgeContract.ts';

/** The first version without sessions. */
export const STATELESS_SINCE = '2026-07-28';

export type JsonRecord = Record<string, unknown>;

export interface UpstreamEvents {
  /** A message of the server. `related`: the request on whose stream it came, where that is known. */
  readonly onMessage: (text: string, message: JsonRecord, related?: RequestId) => void;
  /** The server is gone. Called once, and nothing after it. */
  readonly onEnd: (failure: UpstreamFailure) => void;
  /** Output that isn't a message was skipped; its line, if it is the first of its kind. */
  readonly onSkipped: (line: string | undefined) => void;
  /** For the status: stderr, skipped output or the state of the process has changed. */
  readonly onStatus: () => void;
}

/** The error that open calls get. */
export interface UpstreamFailure {
  readonly message: string;
  readonly data: { readonly bridge: true } & JsonRecord;
}

export interface Outgoing {
  /** The messages of one POST. */
  readonly messages: readonly JsonRecord[];
  /** Each in one line, in the same order. */
  readonly texts: readonly string[];
  readonly headers: Headers;
}

export interface Upstream {
  /** A response if the server refuses the POST; `undefined` once it was accepted. */
  send(post: Outgoing): Promise<Response | undefined>;
  status(): UpstreamStatus;
  /** Ends it in its own time. `now`: at once. */
  close(now?: boolean): Promise<void>;
}

export interface UpstreamStatus {
  readonly process?: BridgeProcess;
  readonly stderr: readonly BridgeStderrLine[];
  readonly skipped: readonly { readonly line: string; readonly count: number }[];
}

export type OpenUpstream = (events: UpstreamEvents) => Upstream;

export function isJsonRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
