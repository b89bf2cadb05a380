/** What the streams of a connection need. */
import type { Blocked } from '../../auth/login.ts';
import type { Clock } from '../../base/clock.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { ConnectionBudget } from '../../wire/connectionBudget.ts';
import type { SessionHealth } from '../exchange/sessionCheck.ts';
import type { EmitLinkEvent } from './linkEvent.ts';

export interface StreamsOptions {
  readonly log: ServerLog;
  readonly clock: Clock;
  readonly budget: ConnectionBudget;
  readonly wire: StreamWire;
  readonly emit: EmitLinkEvent;
}

/** The connection that the streams are of. */
export interface StreamWire {
  readonly hasSession: boolean;
  /** Does the end of its stream cancel a request? */
  readonly closeCancels: boolean;
  /** What the last refusal has led to, where a token could not help. */
  readonly blocked: Blocked | undefined;
  /** Opens the stream with this key by a GET, from where it stands. */
  openStream(key: string): Promise<void>;
  checkSession(): Promise<SessionHealth>;
}

/** Tells who waits for a response that it won't come here; `left`: another page takes the stream up. */
export type OnLost = (how: 'lost' | 'left') => void;
