/** What the harness knows of the page: the public contract of `window.reprise`, and nothing behind it. Types only. */
export type CallName =
  | 'sending'
  | 'open'
  | 'needs-input'
  | 'settled'
  | 'cancelled'
  | 'lost'
  | 'unknown'
  | 'expired';

export interface Call {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly args: object;
  readonly name: CallName;
  readonly startedAt: number;
  readonly settledAt?: number;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
  readonly why?: string;
  readonly received: number;
  readonly replayed: number;
  readonly duplicates: number;
  /** The call runs on as this task. */
  readonly taskId?: string;
  /** Made by the view of this call. */
  readonly appOf?: string;
}

export type PageState =
  | { readonly name: 'idle' | 'connecting' | 'authorizing' | 'reconnecting' | 'disconnected' }
  | { readonly name: 'connected'; readonly how: 'fresh' | 'resumed' | 'restarted' }
  | { readonly name: 'failed'; readonly why: string; readonly fix: string };

/** An entry of the log. What only some kinds have is optional. */
export interface Entry {
  readonly seq: number;
  readonly at: number;
  readonly load: number;
  readonly kind: string;
  readonly stream?: string;
  readonly eventId?: string;
  readonly replayed?: boolean;
  readonly callId?: string;
  readonly message?: object;
  readonly state?: PageState;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly how?: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly step?: string;
  readonly finding?: string;
  readonly appText?: string;
}

/** An entry of the log that is told of as activity: what each kind has is known by its `kind`. */
export type ActivityEvent = Entry &
  (
    | { readonly kind: 'load'; readonly reason: string }
    | { readonly kind: 'state'; readonly state: PageState }
    | { readonly kind: 'session'; readonly protocolVersion: string; readonly serverName: string }
    | { readonly kind: 'era'; readonly era: string; readonly protocolVersion: string }
    | { readonly kind: 'task'; readonly taskId: string; readonly callId: string }
    | { readonly kind: 'call'; readonly callId: string; readonly change: { readonly name: string } }
    | { readonly kind: 'question'; readonly requestId: string; readonly change: { readonly name: string } }
    | { readonly kind: 'sent' | 'received'; readonly stream: string; readonly message: object }
    | { readonly kind: 'position' | 'duplicate'; readonly stream: string; readonly eventId: string }
    | { readonly kind: 'malformed'; readonly stream: string; readonly excerpt: string }
    | { readonly kind: 'http'; readonly method: string; readonly url: string; readonly status: number }
    | { readonly kind: 'stream-end'; readonly stream: string; readonly how: string }
    | { readonly kind: 'auth'; readonly step: string }
    | { readonly kind: 'app'; readonly callId: string; readonly view: string; readonly step: string }
    | { readonly kind: 'note'; readonly level: 'info' | 'warn' | 'error' }
  );

export interface ConnectOptions {
  readonly name?: string;
  readonly headers?: Record<string, string>;
  readonly bearer?: string;
  readonly revision?: 'auto' | 'session' | 'stateless';
}

/** A request of the server that waits for a person. */
export interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: object;
  readonly callId?: string;
}

/** Why a wait for activity is over. */
export type Trigger =
  | { readonly type: 'immediate' | 'timeout' }
  /** `eventType`: the method of a message, `response`, `call` or `question`. */
  | { readonly type: 'event'; readonly server: string; readonly serverId: string; readonly eventType: string }
  /** The connection was lost, or ended. */
  | {
      readonly type: 'server_disconnected';
      readonly server: string;
      readonly serverId: string;
      readonly state: 'reconnecting' | 'authorizing' | 'disconnected' | 'failed';
    }
  | {
      readonly type:
        | 'server_connected'
        | 'server_reconnected'
        | 'server_restarted'
        | 'server_added'
        | 'server_removed'
        | 'server_renamed'
        | 'server_moved';
      readonly server: string;
      readonly serverId: string;
    };

/** What was done with the list of servers. `server`: the name at that time. */
export interface WorkspaceEntry {
  readonly seq: number;
  readonly at: number;
  readonly serverId: string;
  readonly server: string;
  readonly change:
    | {
        readonly name: 'added';
        readonly by?: 'typed' | 'link' | 'file' | 'demo' | 'bridge' | 'script';
      }
    | { readonly name: 'renamed'; readonly from: string }
    | { readonly name: 'moved'; readonly from: number; readonly to: number }
    | { readonly name: 'removed' | 'restored' };
}

export interface Activity {
  readonly triggers: readonly Trigger[];
  readonly workspace: readonly WorkspaceEntry[];
  /** Entries after `since` were removed, because the log was full: some events are missing. */
  readonly truncated?: true;
  readonly events: readonly { readonly server: string; readonly events: readonly ActivityEvent[] }[];
  readonly pendingServer: readonly { readonly server: string; readonly calls: readonly Call[] }[];
  readonly pendingClient: {
    readonly elicitations: readonly Question[];
    readonly samplingRequests: readonly Question[];
  };
  readonly lastEventId?: string;
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly annotations?: {
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
  };
  readonly _meta?: object;
}
