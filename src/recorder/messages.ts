/** What crosses the seam between a page and the thread that records: plain data, in order. */
import type { JsonObject } from '../base/json.ts';
import type { EndOfHost } from '../base/recordedIn.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { Packed } from '../log/entry/entryRun.ts';
import type { ServerStateSnapshot } from '../log/state/mutableServerState.ts';
import type { Transition } from '../log/state/transition.ts';
import type { LogLimits } from '../storage/logWriter.ts';
import type { SegmentInfo } from '../storage/records.ts';
import type { Frame } from '../wire/exchange.ts';
import type { EventBytes } from '../wire/heldBytes.ts';
import type { Learned } from '../wire/redact.ts';
import type { SeenEvents } from './replayFilter.ts';
import type { EventsOf, FramesOf, StoredIndex } from './serverLog.ts';
import type { StateChange } from './stateChanges.ts';

export type Command =
  | { readonly name: 'append'; readonly drafts: readonly Draft[] }
  | { readonly name: 'begin-load'; readonly reason: 'opened' | 'took over'; readonly pageLeftAt?: number }
  | { readonly name: 'adopt'; readonly entries: readonly Entry[] }
  | { readonly name: 'attach-result'; readonly callId: string; readonly message: JsonObject | undefined }
  | { readonly name: 'open-exchange'; readonly exchange: number; readonly listens: boolean }
  | {
      readonly name: 'events';
      readonly exchange: number;
      /** Posted to a host that holds them, they are their key. */
      readonly bytes: EventBytes | HeldKey;
      readonly of: EventsOf;
    }
  | {
      readonly name: 'record';
      readonly exchange: number;
      readonly frames: readonly Frame[];
      readonly of: FramesOf;
    }
  | { readonly name: 'close-exchange'; readonly exchange: number }
  | { readonly name: 'protect'; readonly learned: Learned }
  | { readonly name: 'write'; readonly index: StoredIndex }
  | { readonly name: 'free'; readonly keepBytes: number }
  | { readonly name: 'know-events'; readonly events: SeenEvents }
  | { readonly name: 'fold' | 'flush' | 'recall-events' | 'forget-events' | 'stop-writing' };

export interface HeldKey {
  readonly key: number;
}

export interface Order {
  /** They are counted. */
  readonly n: number;
  /** When it was given, by the clock of the page: entries have this time. */
  readonly at: number;
  readonly command: Command;
  /** Somebody waits for the answer. */
  readonly isAsked: boolean;
}

export type Report = (
  | {
      readonly type: 'folded';
      readonly change: StateChange;
      readonly packed: readonly Packed[];
      readonly transitions: readonly Transition[];
    }
  | { readonly type: 'stored'; readonly segments: readonly SegmentInfo[] }
  | { readonly type: 'answer'; readonly n: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly n: number; readonly why: string }
) & {
  /** The last order that was carried out before this. */
  readonly through: number;
};

/** One end of a channel: of a worker, of this thread, or of a test. */
export interface Channel<Out, In> {
  post(message: Out): void;
  listen(hear: (message: In) => void): void;
}

/** From a page to the host of its logs. */
export type ToHost =
  | {
      readonly name: 'open';
      readonly log: number;
      readonly server: string;
      readonly state?: ServerStateSnapshot;
      readonly limits?: LogLimits;
    }
  | { readonly name: 'order'; readonly log: number; readonly order: Order }
  /** The page is being left, or is shown again. */
  | { readonly name: 'left' | 'back' }
  | { readonly name: 'end' }
  | ToFetch;

export type FromHost =
  /** Its script runs. */
  | { readonly name: 'ready' }
  | { readonly name: 'report'; readonly log: number; readonly report: Report }
  | FromFetch
  /** The last message. Everything that was carried out has been reported. */
  | { readonly name: 'ended'; readonly end: EndOfHost };

/** Requests that the host makes for the page, by number. */
export type ToFetch =
  | { readonly name: 'fetch'; readonly n: number; readonly url: string; readonly init: HostRequest }
  | { readonly name: 'cancel'; readonly n: number }
  /** The page has more of its body than it reads. */
  | { readonly name: 'pause' | 'resume'; readonly n: number };

export interface HostRequest extends Omit<RequestInit, 'headers' | 'signal' | 'body'> {
  readonly headers: [string, string][];
  readonly body?: string;
}

export type FromFetch =
  | {
      readonly name: 'response';
      readonly n: number;
      readonly status: number;
      readonly statusText: string;
      readonly headers: readonly [string, string][];
    }
  | { readonly name: 'chunk'; readonly n: number; readonly bytes: Uint8Array }
  /** Whole events that stay where they are, until an order says what to do with them. */
  | { readonly name: 'held'; readonly n: number; readonly key: number; readonly length: number }
  /** They are recorded elsewhere now. */
  | { readonly name: 'handed'; readonly key: number; readonly bytes: Uint8Array }
  | { readonly name: 'body-ended'; readonly n: number }
  | { readonly name: 'fetch-failed'; readonly n: number; readonly why: string };
