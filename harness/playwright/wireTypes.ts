/** What `mcpWire` is to a test: its options, its methods, and what they return. Types only. */
import type { Page } from '@playwright/test';
import type { ClientCredentials } from '../access/clientCredentials.ts';
import type { Exchange } from '../report/facts.ts';
import type { AwayFor, ClientRule, RequestKind } from '../wire/names.ts';

export type { AwayFor, ClientCredentials, ClientRule, RequestKind };

export interface McpOptions {
  /** The URL of the MCP server, or several under names of your choice. `mcpWire.url` leads to it. */
  readonly server?: string | Readonly<Record<string, string>> | undefined;
  /**
   * Transparent: which of the page's requests are MCP. A glob, a regular expression or a predicate, as in `page.route()`.
   * The browser gets the wire as its proxy, and the page keeps its URLs. With `server`, matching requests go there.
   */
  readonly endpoint?: string | RegExp | ((url: URL) => boolean) | undefined;
  /** Sent to the server as `Authorization: Bearer …`. The page never sees it. Default: `MCP_REPRISE_BEARER`. */
  readonly bearer?: string | (() => string | Promise<string>) | undefined;
  /** OAuth client credentials for the same purpose. Default: from `MCP_REPRISE_CLIENT_ID` and its companions. */
  readonly clientCredentials?: ClientCredentials | undefined;
  /** More headers for every request to the server. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** When the story is attached to the report (default: `retain-on-failure`). */
  readonly story?: 'on' | 'off' | 'retain-on-failure' | undefined;
  /** Milliseconds without a new event on the wire, after which a wait gives up (default: 10,000; 30,000 in Firefox). */
  readonly timeout?: number | undefined;
  /** Milliseconds that the page has to store the last event it received before it is interrupted (default: 100). */
  readonly settle?: number | undefined;
}

export interface WaitOptions {
  /** Milliseconds without a new event on the wire, after which the wait gives up. Default: `mcp.timeout`. */
  readonly timeout?: number | undefined;
}

/** What can be done to one server's connections. On `mcpWire` itself, it concerns all servers. */
export interface WireFaults {
  /** Resets open connections, each in the middle of an event, or those that a filter names once they are so far. */
  cut(options?: CutOptions): Promise<Fault>;
  /** Delays what the server sends. */
  delay(options: DelayOptions): Promise<Fault>;
  /** Rejects requests before they reach the server: with a status, or by closing the connection. */
  refuse(options?: RefuseOptions): Promise<Fault>;
  /** Holds back the response head until `end()` is called. The server has the request and works on it. */
  holdHead(options?: FaultOptions): Promise<Fault>;
  /**
   * Acts as a server that has restarted: cuts every stream and responds with 404 to each session ID from before.
   * The server itself isn't touched, unless `how` restarts it.
   */
  restart(options?: { readonly how?: (() => Promise<void>) | undefined }): Promise<void>;
}

export interface FaultOptions {
  /** Which requests. Default: all. */
  readonly on?: RequestKind | readonly RequestKind[] | ((request: WireRequest) => boolean) | undefined;
  /** How many of them. Default: until `end()` or the end of the test. */
  readonly times?: number | undefined;
  /** Don't fail the test if the fault never happened. Default: false. */
  readonly optional?: boolean | undefined;
}

export interface CutOptions extends FaultOptions {
  /** Cut a matching stream after this many messages. Without it and without `on`: everything that is open, now. */
  readonly afterMessages?: number | undefined;
}

export interface DelayOptions extends FaultOptions {
  readonly ms: number;
  /** Which part: the response head, or each event (default). */
  readonly part?: 'head' | 'events' | undefined;
}

export interface RefuseOptions extends FaultOptions {
  /** An HTTP status such as 401, 409 or 503. Without it, the connection is closed before the request is read. */
  readonly status?: number | undefined;
  /** Sent as `Retry-After`, in seconds. */
  readonly retryAfter?: number | undefined;
}

export interface Fault {
  /** How often it happened. */
  readonly hits: number;
  /** Resolves at its first hit. */
  hit(options?: WaitOptions): Promise<void>;
  /** Ends it. Faults end with the test, too. */
  end(): Promise<void>;
}

export interface WireServer extends WireFaults {
  readonly name: string;
  /** Give this to your page instead of the server's URL. */
  readonly url: string;
}

export interface McpWire extends WireFaults {
  /** Give this to your page instead of the server's URL. Throws if there are several servers, or only `endpoint`. */
  readonly url: string;
  /** One of several servers. */
  server(name: string): WireServer;

  /**
   * The next `tools/call` of this tool that no earlier `mcpWire.call()` has returned. It may have been sent already, so
   * there is no need to wait for it before the click.
   */
  call(tool: string, options?: CallFilter): Promise<WireCall>;
  /** Every call so far, in the order sent. */
  calls(): readonly WireCall[];

  /** Reloads the page. Default: the open call misses one message. */
  reload(page: Page, options?: LeaveOptions & NavigationOptions): Promise<Gap>;
  /** Closes the tab and opens a new one at the same URL, in the same context. */
  reopen(page: Page, options?: LeaveOptions & NavigationOptions): Promise<Gap & { readonly page: Page }>;
  /** Kills the tab's process and opens a new tab at the same URL. Chromium only. */
  crash(page: Page, options?: LeaveOptions & NavigationOptions): Promise<Gap & { readonly page: Page }>;
  /**
   * Takes the network away from every page, and gives it back when the page has missed so much. The server's side of the
   * connections stays open until then, as in a real outage.
   */
  offline(
    options: { readonly for: AwayFor; readonly call?: WireCall | undefined } & WaitOptions,
  ): Promise<Gap>;
  /** Takes the network away until the returned function is called. */
  offline(): Promise<() => Promise<void>>;

  /** Every request of the pages to the servers so far, without credentials. */
  requests(kind?: RequestKind): readonly WireRequest[];
  /** Rules that the page has broken so far. */
  findings(): readonly WireFinding[];
  /** Attaches the story to the report, whatever the test's outcome, and returns it. */
  story(): Promise<WireStory>;
}

/** What the call's stream was like at the moment of the interruption. Later events don't change it. */
export interface Gap {
  /** The ID of the last event that the page received before. */
  readonly lastEventId: string | undefined;
  /** Messages that the server had sent and the page had not received. More may follow. */
  readonly missed: number;
}

export interface CallFilter extends WaitOptions {
  /** Only a call whose arguments contain these. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** Only a call to this server, by its name. */
  readonly server?: string | undefined;
}

export interface LeaveOptions extends WaitOptions {
  /** How much the page misses. Default: `one message` while a call is open, otherwise `nothing`. */
  readonly awayFor?: AwayFor | undefined;
  /** Whose messages. Default: the call that `mcpWire.call()` returned last. */
  readonly call?: WireCall | undefined;
}

export interface NavigationOptions {
  /** As in `page.reload()`. */
  readonly waitUntil?: 'load' | 'domcontentloaded' | 'networkidle' | 'commit' | undefined;
}

/** One `tools/call` of the page, followed over every page load. */
export interface WireCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The JSON-RPC ID that the page gave it. */
  readonly requestId: string | number;
  /** The server's name; `default` if there is only one. */
  readonly server: string;
  /** `undefined` if the server is stateless. */
  readonly sessionId: string | undefined;
  readonly protocolVersion: string;
  /** The task that the call continues as. */
  readonly taskId: string | undefined;
  /** `open`: no response yet. `responded`: the server has sent it. `delivered`: a page has it. */
  readonly state: 'open' | 'responded' | 'delivered';
  /** The ID of the last event of this call's stream that a page has received. For `toHaveResumedFrom()`, use `Gap`. */
  readonly lastEventId: string | undefined;
  /** How often the server was asked to run it: 1, unless the page or the browser repeated it. */
  readonly runs: number;
  /** Messages of its stream in the order the server sent them, the response included. */
  readonly messages: readonly WireMessage[];
  /** Resolves when a page has so many distinct messages. Rejects if the call ended with fewer. */
  received(messages: number, options?: WaitOptions): Promise<void>;
  /** Resolves when the server has sent so many messages, whether or not a page has them. */
  sent(messages: number, options?: WaitOptions): Promise<void>;
  /** Resolves with the response once a page has it. */
  delivered(options?: WaitOptions): Promise<CallResponse>;
}

export type CallResponse =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } };

export interface WireMessage {
  /** Milliseconds since the call was sent. */
  readonly at: number;
  readonly eventId: string | undefined;
  readonly message: Readonly<Record<string, unknown>>;
  /** How it reached a page; `missed` if it hasn't. */
  readonly delivery: 'live' | 'replayed' | 'missed';
  /** Which page load has it, counted from 1. `undefined` if it is missed. */
  readonly load: number | undefined;
  /** How many more times a page received it. */
  readonly duplicates: number;
}

export interface WireRequest extends Exchange {
  readonly kind: RequestKind;
  readonly server: string;
  /** Milliseconds since the start of the test. */
  readonly at: number;
  /** Which page load sent it, counted from 1 in each tab. */
  readonly load: number;
  /** Which tab, counted from 1. */
  readonly tab: number;
  /** Sent while its page was closing. */
  readonly onLeave: boolean;
  /** The JSON-RPC message that was sent. */
  readonly message: Readonly<Record<string, unknown>> | undefined;
}

export interface WireFinding {
  readonly rule: ClientRule;
  readonly level: 'must' | 'should' | 'advice';
  /** Where the MCP standard says so, such as `2025-11-25, Session Management, 2`. */
  readonly clause?: string;
  readonly expected: string;
  readonly received: string;
  /** What to change in the page. */
  readonly fix: string;
  readonly request: WireRequest | undefined;
  readonly call: WireCall | undefined;
}

export interface WireStory {
  /** One self-contained file: the timeline, each exchange, the findings. Attached as `mcp-story.html`. */
  readonly html: string;
  /** The same as data; Reprise's app imports it. Attached as `mcp-story.json`. */
  readonly json: string;
}

export interface SurvivedOptions extends WaitOptions {
  /** Rules that may be broken, with a reason for the reader of the test. */
  readonly except?: Partial<Record<ClientRule, string>> | undefined;
  /** The response may be a tool error or a JSON-RPC error. Default: false. */
  readonly mayFail?: boolean | undefined;
}

export interface PageScript {
  /** Opens the page and starts one tool call. Resolves when the call is on its way. */
  start(page: Page, context: PlayContext): Promise<void>;
  /** Resolves when the page shows the result. Called in the page that is open by then. */
  done(page: Page, context: PlayContext): Promise<void>;
  /** Resolves when the page says that the call is lost. Optional. */
  lost?(page: Page, context: PlayContext): Promise<void>;
  /** Tools that the page expects. Each test server offers them. Optional. */
  readonly tools?: Readonly<Record<string, PlayTool>>;
}

export interface PlayContext {
  /** Give this to your page instead of its server's URL. */
  readonly serverUrl: string;
  /** The page URL from the command line. */
  readonly pageUrl: string;
  /** The test server, such as `resumable`. */
  readonly target: string;
  readonly scenario: string;
}

export interface PlayTool {
  /** How long a call takes (default: 3). */
  readonly seconds?: number;
  /** Progress notifications before the response (default: 12). */
  readonly messages?: number;
  /** The `CallToolResult`. Default: a text. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Default: an object with any properties. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}
