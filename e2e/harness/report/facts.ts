/** What a run has found out, as data: every report, and the merge of several, is drawn from nothing else. Types only. */
export type Verdict = 'pass' | 'fail' | 'unsupported' | 'skipped';

export type Outcome = 'A' | 'B' | 'C' | 'D' | 'E' | 'S' | 'T';

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
  /** What to change in the server. */
  readonly fix?: string;
  readonly exchange?: Exchange;
  /** What is worth knowing and is no failure. */
  readonly remarks?: readonly string[];
  readonly durationMs?: number;
  readonly waterfall?: Waterfall;
  /** What became of the session, where a call was interrupted: the outcome is read from it. */
  readonly returned?: Returned;
}

export interface Returned {
  readonly givesEventIds: boolean;
  /** The page had to begin anew. */
  readonly restarted: boolean;
  /** The server refused to resume a stream of a session that it knows. */
  readonly refused: boolean;
  readonly resultDelivered: boolean;
  readonly followedAsTask: boolean;
}

export interface Report {
  readonly target: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly protocolVersion: string;
  /** `null` where no call could be interrupted. */
  readonly outcome: Outcome | null;
  readonly grade: string;
  readonly scenarios: readonly ScenarioResult[];
  readonly tool?: { readonly name: string; readonly args: object; readonly why: string };
  /** The browser did not enforce CORS. */
  readonly withoutCors?: boolean;
  /** Why the run ended before its time. */
  readonly incomplete?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly reprise: string;
}
