/** The log entry as `window.reprise` and exports show it. */
import type { Entry, EntryBody, Stamp } from './entry.ts';
import { messageOf } from './log.ts';

/** The text of a message is given as what it says. */
type PublicBody<Body> = Body extends { readonly raw: string }
  ? Omit<Body, 'raw'> & { readonly message: object }
  : Body;

/** Told apart by `kind`. What many kinds have can be read without asking which one it is. */
export type LogEntry = Stamp & {
  /** Its name. */
  readonly server: string;
  /** The server's id, which never changes. */
  readonly serverId?: string;
  readonly stream?: string;
  readonly eventId?: string;
  readonly replayed?: boolean;
  readonly callId?: string;
  readonly message?: object;
} & PublicBody<EntryBody>;

export function toLogEntry(server: string, entry: Entry): LogEntry {
  if (entry.kind !== 'sent' && entry.kind !== 'received') return { ...entry, server };
  const { raw: _, ...rest } = entry;
  return { ...rest, server, message: messageOf(entry) ?? {} };
}
