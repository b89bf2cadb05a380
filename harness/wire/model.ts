/** What the wire between a page and its MCP servers has seen, as data. Types only; times are milliseconds since the start. */
import type { JsonObject } from '../../src/base/json.ts';
import type { RequestKind } from './names.ts';

/** One load of a page. */
export interface PageLoad {
  /** Counted from 1. */
  readonly tab: number;
  /** Counted from 1 in each line of tabs. */
  readonly load: number;
  /** A tab that takes the place of another one continues its line. */
  readonly line: number;
  readonly at: number;
}

export interface WireEvent {
  /** When the server sent it. */
  readonly at: number;
  readonly eventId?: string;
  /** Not there in an event that has an ID alone. */
  readonly message?: JsonObject;
  readonly retryMs?: number;
  /** When it was passed on to the page. */
  deliveredAt?: number;
}

export type EndedBy = 'server' | 'page' | 'wire';

export interface WireExchange {
  readonly index: number;
  readonly at: number;
  readonly server: string;
  readonly kind: RequestKind;
  readonly method: string;
  readonly url: string;
  /** Names in lower case, without credentials. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly message?: JsonObject;
  page: PageLoad | undefined;
  /** Sent while its page was closing. */
  onLeave: boolean;
  /** The server has got it. */
  isForwarded: boolean;
  /** 0 if there was no response. */
  status: number;
  responseHeaders: Readonly<Record<string, string>>;
  headAt?: number;
  readonly events: WireEvent[];
  end?: { readonly at: number; readonly by: EndedBy };
  /** The beginning of a body that isn't a stream. */
  body?: string;
}

export type InterruptionKind = 'reload' | 'reopen' | 'crash' | 'offline' | 'cut' | 'restart';

export interface Interruption {
  readonly kind: InterruptionKind;
  readonly at: number;
  /** The line of tabs that was interrupted; `undefined`: all of them. */
  readonly line?: number | undefined;
  /** When the new page was there, or the network was back. */
  readonly backAt: number;
}

export interface Recording {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly exchanges: readonly WireExchange[];
  readonly interruptions: readonly Interruption[];
  readonly pages: readonly PageLoad[];
  /** Facts about the wire itself, for the reader of a story. */
  readonly notes: readonly string[];
}

/** Whether a new page took the place of the one that was interrupted. */
export function replacesPage({ kind }: Interruption): boolean {
  return kind === 'reload' || kind === 'reopen' || kind === 'crash';
}
