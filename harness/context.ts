/** What a scenario is given, and what it gives back. */
import type { BrowserContext } from '@playwright/test';
import type { BridgeMark } from '../src/base/bridgeContract.ts';
import type { ChosenTool } from './chooseTool.ts';
import type { ConnectOptions, Tool } from './contract.ts';
import type { Observed } from './judge/observe.ts';
import type { BrowserHost } from './page/browserHost.ts';
import type { Inspector } from './page/inspector.ts';
import type { CorsFinding } from './probe/cors.ts';
import type { RawSession } from './probe/rawSession.ts';
import type { RawServer } from './probe/reach.ts';
import type { ScenarioResult } from './report/facts.ts';

/** With `initialize` and maybe a session, up to 2025-11-25; or each request by itself, 2026-07-28. */
export type Era = 'session' | 'stateless';

/** In the core of 2025-11-25, or as an extension of 2026-07-28. */
export type TaskKind = 'core' | 'extension';

/** A call that was left alone. */
export interface Control {
  readonly observed: Observed;
  readonly durationMs: number;
  /** The shorter one of the two control calls: a busy machine makes a call longer, and never shorter. */
  readonly shortestMs: number;
  /** Two calls with the same arguments say the same. */
  readonly repeatable: boolean;
  /** It is silent for seconds by itself, so the silence of a resumed stream means nothing. */
  readonly hasLongSilence: boolean;
  /** The first event of the stream has an ID and no message. */
  readonly isPrimed: boolean;
}

export interface Context {
  readonly url: string;
  readonly site: string;
  readonly browser: BrowserHost;
  readonly withoutCors: boolean;
  readonly connectOptions: ConnectOptions;
  readonly tools: readonly Tool[];
  readonly tool: ChosenTool | undefined;
  /** The tool is meant to end in an error. */
  readonly expectError: boolean;
  readonly cors: CorsFinding;
  /** Why no page can connect, if none can. */
  readonly blocked: string | undefined;
  readonly era: Era;
  readonly hasSession: boolean;
  /** Which tasks the server offers, if any. */
  readonly tasks: TaskKind | undefined;
  /** It is behind a bridge. */
  readonly bridge: BridgeMark | undefined;
  /** Set by `control`, which runs first. */
  control: Control | undefined;
  /** Whether further calls that are left alone say the same as the control call; found out when it is first asked for. */
  isSteady(): Promise<boolean>;
  /** How many things may be done to the server at the same time. */
  readonly workers: number;
  readonly timeoutMs: number;
  readonly reloads: number;
  /** The same numbers for the same seed, between 0 and 1. */
  readonly random: () => number;
  newRawSession(): Promise<RawSession>;
  /** As `newRawSession`, of whatever era the server is. */
  newRawServer(): Promise<RawServer>;
  /** A page in a context of its own, connected to the server, through a proxy if one is given. */
  open(proxy?: string): Promise<Opened>;
  /** As `open`, in a context that is there already. */
  openIn(tab: BrowserContext): Promise<Opened>;
  /** Closes a context, and ends its trace if one is recorded. */
  close(tab: BrowserContext): Promise<void>;
}

export interface Opened {
  readonly inspector: Inspector;
  readonly context: BrowserContext;
  /** The session id as the page last sent it. */
  readonly sessionId: () => string | undefined;
}

/** What must be there for a scenario to make sense. */
export type Need =
  | 'page'
  | 'tool'
  | 'session'
  /** The server speaks a revision with `initialize`, whether it keeps a session or not. */
  | 'initialize'
  /** The server speaks 2026-07-28. */
  | 'stateless'
  | 'tasks'
  /** The server has a tool with a view (MCP Apps). */
  | 'app'
  /** The control call has worked. */
  | 'control'
  /** The server names positions, so that there is something to resume from. */
  | 'event-ids'
  /** The tool takes long enough to be interrupted. */
  | 'time'
  | 'own-browser'
  /** The browser has a page that crashes its tab. */
  | 'crash';

export type Finding = Omit<ScenarioResult, 'name'>;

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly needs: readonly Need[];
  /** It interrupts a call, and so the outcome depends on it. */
  readonly interrupts?: true;
  run(context: Context): Promise<Finding>;
}
