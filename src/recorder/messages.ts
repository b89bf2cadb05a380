/** What crosses the seam between a page and the thread that records: plain data, in order. */
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { Packed } from '../log/entry/entryRun.ts';
import type { ServerStateSnapshot } from '../log/state/mutableServerState.ts';
import type { Transition } from '../log/state/transition.ts';
import type { LogLimits } from '../storage/logWriter.ts';
import type { SegmentInfo } from '../storage/records.ts';
import type { Frame } from '../wire/exchange.ts';
import type { Learned } from '../wire/redact.ts';
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
      readonly bytes: Uint8Array;
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
  | { readonly name: 'fold' | 'flush' | 'forget-events' | 'recall-events' | 'stop-writing' };

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
  | { readonly name: 'end' };

export type FromHost =
  | { readonly name: 'report'; readonly log: number; readonly report: Report }
  /** The last message. Everything that was carried out has been reported. */
  | { readonly name: 'ended'; readonly end: EndOfHost };

export type EndOfHost =
  | { readonly why: 'asked' }
  /** It could not be started. */
  | { readonly why: 'blocked'; readonly text?: string }
  /** The disk refused a write. */
  | { readonly why: 'storage'; readonly text: string }
  /** A bug. */
  | { readonly why: 'error'; readonly text: string };
