/** What a target tells about itself: one flat record for each event, with a name that a machine can filter by. */
export interface LogRecord {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly event: string;
  readonly session?: string;
  readonly [detail: string]: unknown;
}

export type LogSink = (record: LogRecord) => void;

export const silent: LogSink = () => undefined;
