/** What raw HTTP showed of a server, as data: the verdict of the harness is compared with nothing else. */

/** A `GET` with `Last-Event-ID`, or the first response after a request: `null` for no head in time. */
export type Status = number | null;

export interface RawFacts {
  /** `server/discover` names 2026-07-28. */
  readonly speaksStateless: boolean;
  /** In the capabilities of `initialize` or `server/discover`. */
  readonly declaresTasks: boolean;
  readonly session?: SessionFacts;
  /** A call of 2026-07-28, left alone, and one after a call that was cut. */
  readonly stateless?: {
    readonly messages: number;
    readonly durationMs: number;
    readonly isError: boolean;
    readonly worksAfterCut: boolean;
  };
  readonly cors: CorsFacts;
}

/** What is seen with `initialize`. */
export interface SessionFacts {
  readonly protocolVersion: string;
  readonly hasSession: boolean;
  readonly declaresTasks: boolean;
  /** A plain GET: the standalone stream. */
  readonly get: Status;
  readonly call?: CallFacts;
  readonly unknownEventId?: { readonly status: Status; readonly messages: number; readonly ended: boolean };
  readonly standalone?: StandaloneFacts;
  readonly question?: QuestionFacts;
  /** DELETE, and a request of the same session after it. */
  readonly ended?: { readonly deleted: Status; readonly then: Status; readonly hasNewId: boolean };
}

export interface CallFacts {
  readonly response: 'stream' | 'json';
  /** When the head came, and the response. */
  readonly headMs: number;
  readonly durationMs: number;
  readonly messages: number;
  readonly isError: boolean;
  readonly givesEventIds: boolean;
  /** The first event has an ID and no message. */
  readonly isPrimed: boolean;
  readonly cut?: CutFacts;
  readonly repeated?: RepeatFacts;
  /** Many calls that were cut and resumed at different moments: how many of them lack a message. */
  readonly resumes?: { readonly tries: number; readonly lossy: number };
  /** Messages of another call on a resumed stream, and of another session. */
  readonly foreign?: {
    readonly status: Status;
    readonly ofOtherCall: number;
    readonly ofOtherSession: number;
  };
}

export interface CutFacts {
  /** Messages before the connection was cut, and on the resumed stream (or on a plain GET without event IDs). */
  readonly before: number;
  readonly resumed: Status;
  readonly after: number;
  /** Of those, messages that had come before the cut. */
  readonly again: number;
  readonly result: boolean;
  /** The rest came only when it was asked for once more. */
  readonly stalled: boolean;
  /** Of a request in the same session afterwards. */
  readonly ping: Status;
}

/** A tool asks the user, the connection is cut, and the answer is sent afterwards. */
export interface QuestionFacts {
  readonly asked: boolean;
  /** Of the POST with the answer. */
  readonly answered?: Status;
  /** The result came on the resumed stream (or on a plain GET without event IDs). */
  readonly result?: boolean;
}

export interface RepeatFacts {
  readonly status: Status;
  /** The first POST had brought no message when it was cut; then the second was sent after the end of the first run. */
  readonly wasSilent: boolean;
  /** Progress that the first POST had brought, and that the second brought again. */
  readonly progressAgain: boolean;
  readonly hasSameEventIds: boolean;
  readonly isAnswered: boolean;
  /** How long the second took, as a part of the call that was left alone. */
  readonly share: number;
}

export interface StandaloneFacts {
  readonly givesEventId: boolean;
  /** A second GET beside it; a resume after it was cut; a plain GET beside the resumed one. */
  readonly beside?: Status;
  readonly resumed?: Status;
  readonly besideResumed?: Status;
}

export interface CorsFacts {
  readonly preflight: Status;
  readonly preflightOrigin: string;
  readonly allowMethods: string;
  /** The headers that a preflight allows if it asks for this one alone. */
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
  readonly actual: Status;
  readonly actualOrigin: string;
  readonly exposes: string;
}
