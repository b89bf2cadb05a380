/**
 * The log of one server as everybody but its recorder uses it: commands go in, entries, transitions and a state come out.
 * Commands are carried out in the order in which they were given, and maybe in another thread: what one of them leads to
 * is seen by its promise, or by a listener, and never right after it.
 */
import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Emitter } from '../base/emitter.ts';
import type { Draft } from '../log/entry/draft.ts';
import type { Entry } from '../log/entry/entry.ts';
import type { Restored } from '../log/log.ts';
import type { LogView } from '../log/logView.ts';
import type { LogWriterOptions } from '../storage/logWriter.ts';
import type { LogIndexRecord, SegmentInfo } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import type { Frame } from '../wire/exchange.ts';
import type { EventBytes } from '../wire/heldBytes.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Redactor } from '../wire/redact.ts';

export interface ServerLog extends LogView {
  /** More is on disk now. Other tabs are told of nothing earlier. */
  readonly stored: Emitter<undefined>;
  /** What is on disk, as far as this tab writes it. */
  readonly segments: readonly SegmentInfo[];
  /** Does this tab write it? */
  readonly isWritten: boolean;

  append(...drafts: readonly Draft[]): void;
  /** Starts the next page load: entries carry its number from here on. */
  beginLoad(reason: 'opened' | 'took over', pageLeftAt?: number): void;
  /** Takes over entries that another tab has recorded and stored. What is known already is passed over. */
  adopt(entries: readonly Entry[]): Promise<void>;
  /** Gives a call of an earlier page load its result back; without one, it is not in the log any more. */
  attachResult(callId: string, message: JsonObject | undefined): Promise<void>;

  /** Resolves when `state` has everything that was given before. */
  folded(): Promise<void>;
  /** Resolves when everything that was given before is stored, as far as this tab writes the log. */
  flushed(): Promise<void>;

  /** @param listens it was opened by a GET: a server may send what is already known, of whatever stream */
  openExchange(listens: boolean): ExchangeRecorder;
  /** A fetch whose streams may be read where they are recorded. Their chunks go into exchanges of this log, as they are. */
  reads?(fetch: Fetch): Fetch;
  /** Event IDs of an earlier session mean nothing. */
  forgetEvents(): void;
  /** Reads back which events are recorded. */
  recallEvents(): Promise<void>;

  /** From now on this tab writes the log, which stands on disk like this. */
  write(stored: StoredIndex): Promise<void>;
  stopWriting(): Promise<void>;
  /** Removes the oldest entries until so much is left, as far as no open call needs them. */
  free(keepBytes: number): Promise<void>;
}

export type OpenLog = (options: LogOptions) => ServerLog;

export interface LogOptions extends LogWriterOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly restored?: Restored;
  /** Without one, the log is in memory alone. */
  readonly store?: Store;
}

export type StoredIndex = Pick<LogIndexRecord, 'segments' | 'isImported'>;

/** Records what one HTTP exchange brings. */
export interface ExchangeRecorder {
  /** Whole events of a stream, as bytes. Resolves when they are folded. */
  events(bytes: EventBytes, of: EventsOf): Promise<RecordedEvents>;
  /** Resolves when it is folded. */
  record(frames: readonly Frame[], of: FramesOf): Promise<Recorded>;
  close(): void;
}

/** Where the frames of one chunk came from. */
export interface FramesOf {
  readonly stream: string;
  /** The call that this stream belongs to. */
  readonly callId: string | undefined;
  /** Is this still the burst that makes up for what was missed? */
  readonly replaying: boolean;
}

export interface EventsOf extends FramesOf {
  /** MCP 2026-07-28 has no event IDs: what stands in their place means nothing. */
  readonly hasEventIds: boolean;
}

export interface RecordedEvents {
  /** Nothing, if there were only comments. */
  readonly recorded?: Recorded;
  /** How long the server wants a page to wait before it reconnects. */
  readonly retryMs?: number;
}

/** What one chunk of a stream has brought. */
export interface Recorded {
  /** What the page may wait for or must answer. */
  readonly forward: readonly Forwarded[];
  /** The ID of the last event, which is the stream's new position. */
  readonly eventId: string | undefined;
  /** A priming event and what was received before are not new. */
  readonly isNew: boolean;
  /** The IDs of the requests that were answered: a stream ends with its response, not with its close. */
  readonly responses: readonly string[];
}

export interface Forwarded {
  readonly data: string;
  /** Of a response: only for a page that waits for it. */
  readonly responseTo?: string | number;
}
