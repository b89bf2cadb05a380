/** What has to be known to record the frames of one chunk. */
import type { Call } from '../log/state/call.ts';
import type { Redactor } from '../wire/redact.ts';
import type { MessageForms } from './messageForms.ts';
import type { ReplayFilter } from './replayFilter.ts';
import type { RunWatch } from './runWatch.ts';
import type { FramesOf } from './serverLog.ts';

export interface FrameContext extends FramesOf {
  /** Was this connection opened by a GET? Then a server may send what is already known, of whatever stream. */
  readonly listens: boolean;
  readonly seen: ReplayFilter;
  /** Of this connection. */
  readonly runs: RunWatch;
  /** Of this connection. */
  readonly forms: MessageForms;
  readonly redactor: Redactor;
  readonly calls: ReadonlyMap<string, Call>;
  /** The stored position of the stream. */
  readonly cursor?: string | undefined;
}
