/** The log entry as `window.reprise` and exports show it. */
import type { Entry, EntryBody, Stamp } from './entry.ts';
import { carriesMessage } from './entryKinds.ts';
import { messageOf } from '../entry/messageOf.ts';
import { tellEntry, type ToldEntry } from '../reasons/told.ts';

/** The text of a message is given as what it says. */
type WithMessage<Body> = Body extends { readonly raw: string }
  ? Omit<Body, 'raw'> & { readonly message: object }
  : Body;

interface EntryServer {
  /** Its name. */
  readonly server: string;
  /** The server's id, which never changes. */
  readonly serverId?: string;
}

/** As a file has it: with the facts of its reason, so that it can be imported again. */
export type FileEntry = Stamp & EntryServer & WithMessage<EntryBody>;

/** Told apart by `kind`. What many kinds have can be read without asking which one it is. */
export type LogEntry = Stamp &
  EntryServer & {
    readonly stream?: string;
    readonly eventId?: string;
    readonly replayed?: boolean;
    readonly callId?: string;
    readonly message?: object;
  } & WithMessage<ToldEntry>;

export function toFileEntry(server: string, entry: Entry): FileEntry {
  if (!carriesMessage(entry)) return { ...entry, server };
  const { raw: _, ...rest } = entry;
  return { ...rest, server, message: messageOf(entry) ?? {} };
}

export function toLogEntry(server: string, entry: Entry): LogEntry {
  if (carriesMessage(entry)) return toFileEntry(server, entry) as LogEntry;
  return { ...tellEntry(entry), server };
}
