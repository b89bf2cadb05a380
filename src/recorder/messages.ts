/** What crosses the seam between a page and the thread that records: plain data, in order. */
import type { JsonObject } from '../base/json.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { Packed } from '../log/entry/entryRun.ts';
import type { Transition } from '../log/state/transition.ts';
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

/** `id`: somebody waits for the answer. */
export interface Order {
  readonly id?: number;
  readonly command: Command;
}

export type Report =
  | {
      readonly type: 'folded';
      readonly change: StateChange;
      readonly packed: readonly Packed[];
      readonly transitions: readonly Transition[];
    }
  | { readonly type: 'stored'; readonly segments: readonly SegmentInfo[] }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly why: string };

/** One end of a channel: of a `MessagePort`, of a worker, or of a test. */
export interface Channel<Out, In> {
  post(message: Out): void;
  listen(hear: (message: In) => void): void;
}
