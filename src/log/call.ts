/** A tool call as it outlives the page that made it. */
export type CallName =
  'sending' | 'open' | 'needs-input' | 'settled' | 'cancelled' | 'lost' | 'unknown' | 'expired';

export interface Call {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly args: object;
  readonly name: CallName;
  readonly startedAt: number;
  readonly timeoutMs: number;
  readonly repeatable: boolean;
  readonly settledAt?: number;
  readonly result?: object;
  readonly error?: { readonly code: number; readonly message: string };
  /** Plain words, for cancelled, lost, unknown and expired. */
  readonly why?: string;
  readonly progress?: CallProgress;
  /** Distinct messages of this call's stream. */
  readonly received: number;
  /** How many of them a resume delivered. */
  readonly replayed: number;
  /** How many more were dropped because they were already stored. */
  readonly duplicates: number;
  /** Where the response stands in the log: the result itself is stored there, once. */
  readonly resultSeq?: number;
}

export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export function isOpen(call: Pick<Call, 'name'>): boolean {
  return call.name === 'sending' || call.name === 'open' || call.name === 'needs-input';
}
