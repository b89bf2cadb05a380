/** What the harness knows of the page: the public contract of `window.reprise`, and nothing behind it. Types only. */
export type CallName =
  'sending' | 'open' | 'needs-input' | 'settled' | 'cancelled' | 'lost' | 'unknown' | 'expired';

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
}

export interface ConnectOptions {
  readonly name?: string;
  readonly headers?: Record<string, string>;
  readonly bearer?: string;
}

/** A request of the server that waits for a person. */
export interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: object;
  readonly callId?: string;
}

export interface Activity {
  readonly triggers: readonly {
    readonly type: string;
    readonly server?: string;
    readonly eventType?: string;
  }[];
  readonly events: readonly { readonly server: string; readonly events: readonly Entry[] }[];
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
}
