/** The log entry as `window.reprise` and exports show it. */
import type { Entry } from './entry.ts';
import { messageOf } from './log.ts';

export interface LogEntry {
  seq: number;
  at: number;
  load: number;
  /** Its name. */
  server: string;
  /** The server's id, which never changes. */
  serverId?: string;
  kind: string;
  stream?: string;
  eventId?: string;
  replayed?: boolean;
  callId?: string;
  message?: object;
}

export function toLogEntry(server: string, entry: Entry): LogEntry {
  if (entry.kind !== 'sent' && entry.kind !== 'received') return { ...entry, server };
  const { raw: _, ...rest } = entry;
  return { ...rest, server, message: messageOf(entry) ?? {} };
}
