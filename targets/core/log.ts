/** What a target tells about itself: one flat record for each event, with a name that a machine can filter by. */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Every event there is. README.md has the same table. */
export const LOG_EVENTS = {
  'target.ready': 'info',
  'target.control': 'info',
  'http.answered': 'debug',
  'http.failed': 'error',
  'request.error': 'warn',
  'session.created': 'info',
  'session.reinitialized': 'info',
  'session.resumed': 'info',
  'session.reaped': 'info',
  'session.ended': 'info',
  'session.error': 'warn',
  'tool.called': 'info',
  'tool.finished': 'info',
  'tool.failed': 'warn',
  'tool.cancelled': 'info',
  'task.created': 'info',
  'task.completed': 'info',
  'task.failed': 'warn',
  'task.cancelled': 'info',
  'task.expired': 'info',
  'elicitation.requested': 'info',
  'elicitation.answered': 'info',
  'elicitation.expired': 'warn',
  'sampling.requested': 'info',
  'sampling.answered': 'info',
  'sampling.expired': 'warn',
  'roots.requested': 'info',
  'roots.answered': 'info',
  'roots.expired': 'warn',
  'event_store.near_limit': 'warn',
  'event_store.evicted': 'warn',
  'event_store.expired': 'info',
  'event_store.unknown_id': 'warn',
  'event_store.not_cleared': 'warn',
} as const satisfies Record<string, LogLevel>;

export type LogEvent = keyof typeof LOG_EVENTS;

export interface LogRecord {
  readonly event: LogEvent;
  readonly session?: string;
  readonly [detail: string]: unknown;
}

export type LogSink = (record: LogRecord) => void;

export const silent: LogSink = () => undefined;

/** JSON lines, from a level on. */
export function jsonLines(least: LogLevel, write: (line: string) => void): LogSink {
  return ({ event, ...details }) => {
    const level = LOG_EVENTS[event];
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(least)) return;
    write(JSON.stringify({ time: new Date().toISOString(), level, event, ...details }));
  };
}
