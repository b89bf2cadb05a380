/**
 * How a page recognizes a bridge, and what it can ask it. The bridge changes no message: a response header says that it
 * is there, and a URL beside the server's has its state and the stderr of the process.
 */

/** On every response of a bridged server, exposed with CORS: `stdio; replay=bridge`, `http; replay=server`. */
export const BRIDGE_HEADER = 'mcp-reprise-bridge';

/**
 * On every 401 and 403 of a bridged HTTP server, and on its protected resource metadata: the URL of the server, without
 * its query. A token is for this URL, and not for that of the bridge.
 */
export const BRIDGE_RESOURCE_HEADER = 'mcp-reprise-bridge-resource';

export type BridgeTransport = 'stdio' | 'http';
/**
 * Who replays, and with `bridge`, that a repeated request runs once. The others are for 2026-07-28, where the protocol has
 * no resumption and a repeated request would run again. `tasks`: the bridge holds calls as tasks of its own, because the
 * server has none. `none`: the bridge adds nothing to what the server has.
 */
export type BridgeReplay = 'bridge' | 'server' | 'tasks' | 'none';

export interface BridgeMark {
  readonly transport: BridgeTransport;
  readonly replay: BridgeReplay;
}

/** Calls survive a reload because of the bridge, and not because of the server. */
export const isOfBridge = ({ replay }: BridgeMark): boolean => replay === 'bridge' || replay === 'tasks';

export const writeBridgeMark = ({ transport, replay }: BridgeMark): string =>
  `${transport}; replay=${replay}`;

export function readBridgeMark(header: string | null): BridgeMark | undefined {
  const [, transport, replay] = /^(stdio|http); replay=(bridge|server|tasks|none)$/.exec(header ?? '') ?? [];
  if (transport === undefined || replay === undefined) return undefined;
  return { transport: transport as BridgeTransport, replay: replay as BridgeReplay };
}

/**
 * Where the state of a bridged server is: GET, with the header `mcp-session-id` for that of a session. It is the path
 * of the server with `/bridge` behind it, and has the same token. `after` leaves out earlier lines of stderr, and with
 * `wait` (seconds, up to 25) the response comes when there is a new line, the process ends, or the time is over.
 */
export function bridgeStatusUrl(server: string, query: { after?: number; wait?: number } = {}): string {
  const url = new URL(server);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/bridge`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

export interface BridgeStatus extends BridgeMark {
  /** Of mcp-reprise. */
  readonly version: string;
  readonly name: string;
  /** What was started, or the URL of the server, without keys. */
  readonly command: string;
  /** Missing if the request has no session ID, or one that the bridge doesn't have. */
  readonly session?: BridgeSessionStatus;
}

export interface BridgeSessionStatus {
  readonly id: string;
  /** Missing for HTTP servers. */
  readonly process?: BridgeProcess;
  readonly kept: BridgeKept;
  /** The newest lines. `number` counts from 1 and has no gaps, so lines that were dropped show. */
  readonly stderr: readonly BridgeStderrLine[];
  /** Lines on stdout that aren't JSON-RPC: each kind once. */
  readonly skipped: readonly { readonly line: string; readonly count: number }[];
}

export type BridgeProcess =
  | { readonly name: 'running'; readonly pid: number }
  | {
      readonly name: 'exited';
      readonly pid: number;
      readonly exitCode: number | null;
      readonly signal: string | null;
    };

export interface BridgeKept {
  readonly events: number;
  readonly bytes: number;
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export interface BridgeStderrLine {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly line: string;
}
