/** One stream as this page holds it: its position survives the connections that carry it. */
import type { StreamHandle } from '../wire/exchange.ts';

export type StreamPhase =
  /** Its first connection is a POST that has not been answered yet. */
  | 'posting'
  /** Waits for its turn, or for a pause to end. */
  | 'waiting'
  | 'opening'
  | 'open'
  | 'done';

/** A resumed stream that says nothing may have been forgotten by its server: ask again, politely. */
export const FIRST_SILENCE_MS = 5000;

export class LiveStream {
  readonly key: string;
  readonly callId: string | undefined;
  phase: StreamPhase;
  cursor: string | undefined;
  handle: StreamHandle | undefined;
  /** Failed tries in a row. */
  attempt = 0;
  /** Why the last try failed, while it is in trouble. */
  trouble: string | undefined;
  /** The server's `retry:`, which MUST be respected (MCP 2025-11-25, Streamable HTTP). */
  retryMs: number | undefined;
  /** Let go on purpose, and not open again yet. */
  wasReleased = false;
  /** How long it may be silent before it is asked again. */
  silenceMs = FIRST_SILENCE_MS;
  /** Connections in a row that ended without a word. */
  emptyResumes = 0;
  cancelTimer: (() => void) | undefined;
  /** Who waits for its answer hears from here that there will be none. */
  onLost: (() => void) | undefined;

  constructor(key: string, callId: string | undefined, phase: StreamPhase, cursor?: string) {
    this.key = key;
    this.callId = callId;
    this.phase = phase;
    this.cursor = cursor;
  }

  release(): void {
    this.handle?.release();
  }

  /** The answer that it was opened for will not come. */
  lose(): void {
    const { onLost } = this;
    this.onLost = undefined;
    onLost?.();
  }

  stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /** Over for good: nothing that arrives late moves it again. */
  finish(): void {
    this.phase = 'done';
    this.trouble = undefined;
    this.stopTimer();
    this.release();
    this.handle = undefined;
  }
}
