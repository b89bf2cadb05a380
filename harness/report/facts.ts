/** What a run has found out, as data: every report, and the merge of several, is drawn from nothing else. */
import type { Cause } from '../judge/causes.ts';

export type Verdict = 'pass' | 'fail' | 'unsupported' | 'skipped';

export type Outcome = 'A' | 'B' | 'C' | 'D' | 'E' | 'S' | 'T';

/** How binding a finding is. */
export type Level = 'must' | 'should' | 'advice';

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  /** The first part of the answer, where it was read. */
  readonly body?: string;
}

export type MarkKind = 'live' | 'replayed' | 'duplicate' | 'lost' | 'result' | 'question' | 'answered';

export interface Mark {
  /** Milliseconds since the start of the call. */
  readonly at: number;
  readonly kind: MarkKind;
  readonly label: string;
}

export interface Gap {
  /** The last sign of the page that went, and the first of the one that came. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

export interface Waterfall {
  readonly durationMs: number;
  readonly lanes: readonly { readonly name: string; readonly marks: readonly Mark[] }[];
  readonly gaps: readonly Gap[];
}

export interface ScenarioResult {
  readonly name: string;
  readonly verdict: Verdict;
  readonly why: string;
  /** Messages of the control call; of the call under test: distinct ones, and how each came. */
  readonly control?: number;
  readonly received?: number;
  readonly replayed?: number;
  readonly duplicates?: number;
  readonly lost?: number;
  readonly outOfOrder?: number;
  /** From the request to the first position: a page that leaves in it cannot come back to the call. */
  readonly blindWindowMs?: number;
  /** From the load of the new page to its connection. */
  readonly reconnectMs?: number;
  readonly resultDelivered?: boolean;
  /** What is to change in the server; the same for every finding of one problem, and for what it hides. */
  readonly cause?: Cause;
  /** Of a failure, and the clause of the standard behind it, where there is one. */
  readonly level?: Level;
  readonly clause?: string;
  /** What to change in the server. */
  readonly fix?: string;
  readonly exchange?: Exchange;
  /** What is worth knowing and is no failure. */
  readonly remarks?: readonly string[];
  readonly durationMs?: number;
  readonly waterfall?: Waterfall;
  /** Files with a Playwright trace, one for each try. */
  readonly traces?: readonly string[];
  /** What became of the session, where a call was interrupted: the outcome is read from it. */
  readonly returned?: Returned;
}

export interface Returned {
  readonly givesEventIds: boolean;
  /** The page left before the first event ID of the call had come. */
  readonly wasBlind: boolean;
  /** The page had to begin anew. */
  readonly restarted: boolean;
  /** The session came back with a new `initialize` under its old ID, and so did the result. */
  readonly isRevived?: boolean;
  /** The server refused to resume a stream of a session that it knows. */
  readonly refused: boolean;
  readonly resultDelivered: boolean;
  readonly followedAsTask: boolean;
  /** Messages that the server sent while no page was there, and how many of them a resume brought. */
  readonly missed: number;
  readonly recovered: number;
}

/** What a reload costs a running call of one tool, where there are no sessions (2026-07-28). */
export interface ReloadCost {
  readonly tool: string;
  readonly cost: 'cancelled' | 'kept-as-task' | 'kept-as-question' | 'not-tested';
  /** `reload`: a page was reloaded during the call. `call`: read from the response to a call. */
  readonly shownBy?: 'reload' | 'call';
  /** Of a call that was left alone. */
  readonly durationMs?: number;
  /** It takes longer than `durationMs`: its end wasn't waited for. */
  readonly isLonger?: boolean;
  readonly advice?: string;
  /** Why it wasn't tested. */
  readonly why?: string;
}

/** On which terms a run succeeds. */
export interface Terms {
  /** From which level on a failure is one of the run; `must` if left out. */
  readonly failOn?: Level;
  /** Scenarios that fail, and are known to. */
  readonly expectedFailures?: readonly string[];
  readonly require?: 'A' | 'reload-safe';
}

/** The server was tested through a bridge: what the bridge gives isn't the server's own. */
export interface ReportedBridge {
  readonly transport: 'stdio' | 'http';
  readonly replay: 'bridge' | 'server' | 'tasks' | 'none';
  /** "through a bridge: the replay is the bridge's, not the server's" */
  readonly note: string;
  /** The scenarios whose verdict is the server's own. */
  readonly ownScenarios: readonly string[];
}

/** One of the parts of a run that was divided into shards, and what the sum of all of them rests on. */
export interface Part {
  readonly index: number;
  readonly total: number;
  readonly hasSession: boolean;
  readonly era: 'session' | 'stateless';
  readonly isBlocked: boolean;
}

/** Counts up when a reader of older reports would misread a new one. */
export const SCHEMA_VERSION = 1;

export interface Report {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly target: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  /** `null` where no call could be interrupted. */
  readonly outcome: Outcome | null;
  readonly grade: string;
  readonly scenarios: readonly ScenarioResult[];
  readonly tool?: { readonly name: string; readonly args: object; readonly why: string };
  /** Of a server without sessions: tool by tool. */
  readonly reloadCosts?: readonly ReloadCost[];
  /** What the tool list costs. */
  readonly toolList?: { readonly tools: number; readonly bytes: number; readonly estimatedTokens: number };
  /** What the author of the server should know; nothing of it is a failure. */
  readonly notes?: readonly {
    readonly kind: string;
    readonly text: string;
    readonly sources?: readonly string[];
  }[];
  /** Which way of the protocol was asked for. */
  readonly revision?: 'session' | 'stateless';
  /** The tool was meant to end in an error. */
  readonly expectError?: boolean;
  readonly bridge?: ReportedBridge;
  /** The browser of the run, such as "Firefox" and "153.7.0". */
  readonly browser?: { readonly name: string; readonly version: string };
  /** The browser did not enforce CORS. */
  readonly withoutCors?: boolean;
  /** Where they aren't the usual ones. */
  readonly terms?: Terms;
  readonly part?: Part;
  /** Saved calls were run instead of the scenarios: the file that they are from. */
  readonly callsFile?: string;
  /** The file that the interface was compared with. */
  readonly snapshotFile?: string;
  /** Why the run ended before its time. */
  readonly incomplete?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly reprise: string;
}
