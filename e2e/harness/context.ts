/** What a scenario is given, and what it gives back. */
import type { BrowserContext } from '@playwright/test';
import type { ChosenTool } from './chooseTool.ts';
import type { ConnectOptions, Tool } from './contract.ts';
import type { Observed } from './judge/observe.ts';
import type { BrowserHost } from './page/browserHost.ts';
import type { Inspector } from './page/inspector.ts';
import type { CorsFinding } from './probe/cors.ts';
import type { RawSession } from './probe/rawSession.ts';
import type { ScenarioResult } from './report/facts.ts';

/** A call that was left alone. */
export interface Control {
  readonly observed: Observed;
  readonly durationMs: number;
  /** Two calls with the same arguments say the same. */
  readonly repeatable: boolean;
  /** It is silent for seconds by itself, so the silence of a resumed stream means nothing. */
  readonly hasLongSilence: boolean;
  /** Seen from Node: when the first position and the first message came after the head of the answer. */
  readonly firstIdMs: number | undefined;
  readonly firstMessageMs: number | undefined;
}

export interface Context {
  readonly url: string;
  readonly site: string;
  readonly browser: BrowserHost;
  readonly withoutCors: boolean;
  readonly connectOptions: ConnectOptions;
  readonly tools: readonly Tool[];
  readonly tool: ChosenTool | undefined;
  readonly cors: CorsFinding;
  /** Why no page can connect, if none can. */
  readonly blocked: string | undefined;
  readonly hasSession: boolean;
  /** Set by `control`, which runs first. */
  control: Control | undefined;
  readonly timeoutMs: number;
  readonly reloads: number;
  /** The same numbers for the same seed, between 0 and 1. */
  readonly random: () => number;
  newRawSession(): Promise<RawSession>;
  /** A page in a context of its own, connected to the server, through a proxy if one is given. */
  open(proxy?: string): Promise<Opened>;
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
  /** The server names positions, so that there is something to resume from. */
  | 'event-ids'
  /** The tool takes long enough to be interrupted. */
  | 'time'
  | 'own-browser';

export type Finding = Omit<ScenarioResult, 'name'>;

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  readonly needs: readonly Need[];
  run(context: Context): Promise<Finding>;
}
