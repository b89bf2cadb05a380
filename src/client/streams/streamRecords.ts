/** What the streams of a connection write into the log. */
import type { StreamEnd } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { Stream } from './stream.ts';

interface Named {
  readonly key: string;
  readonly callId: string | undefined;
}

export class StreamRecords {
  readonly #log: ServerLog;

  constructor(log: ServerLog) {
    this.#log = log;
  }

  callOpened(callId: string): void {
    this.#log.append({ body: { kind: 'call', callId, change: { name: 'open' } } });
  }

  callEnded(callId: string, name: 'lost' | 'unknown', reason: Reason): void {
    this.#log.append({ body: { kind: 'call', callId, change: { name, reason } } });
  }

  ended({ key: stream, callId }: Named, how: StreamEnd, reason?: Reason): void {
    const call = callId === undefined ? {} : { callId };
    this.#log.append({ body: { kind: 'stream-end', stream, how, ...call, ...(reason && { reason }) } });
  }

  /** The time of a stream has passed, in the state that it is in. */
  timedOut({ name, role }: Stream): void {
    // A deaf stream and a quiet one look the same, so a plain GET may cost a message that a quiet server sends meanwhile.
    if (name === 'open' && role === 'standalone') this.#note('info', { code: 'deaf-stream' });
    if (name === 'queued') this.#note('warn', { code: 'no-connection' });
  }

  #note(level: 'info' | 'warn', reason: Reason): void {
    this.#log.append({ body: { kind: 'note', level, reason } });
  }
}
