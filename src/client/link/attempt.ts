/** What is different from one connection of a link to the next. */
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { SessionCheck } from '../exchange/sessionCheck.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { EmitLinkEvent } from '../streams/linkEvent.ts';
import type { Session } from './session.ts';
import type { Wire } from './wires.ts';

export interface Attempt {
  /** The session to take up; without one a new session is begun. */
  readonly session: Session | undefined;
  readonly wire: Wire;
  readonly revision: Revision;
  readonly tokens: TokenSource;
  readonly sessionCheck: SessionCheck;
  /** Resolves when it's known what earlier pages have received. Requests don't wait for that; their responses do. */
  readonly recalled?: Promise<void> | undefined;
  readonly emit: EmitLinkEvent;
}
