import type { Reason } from '../reasons/reason.ts';
import type { RunReason } from './runSign.ts';

/** A tool call as it outlives the page that made it. */
export type CallName =
  | 'sending'
  | 'open'
  | 'needs-input'
  | 'settled'
  | 'cancelled'
  | 'lost'
  | 'unknown'
  | 'expired';

/**
 * Other requests that outlive the page in the same way: those that a stateless server may ask about before it answers,
 * and the result of a task that was not started here.
 */
export type AskedMethod = 'prompts/get' | 'resources/read' | 'tasks/result';

/** What every call has, whatever became of it. */
interface CallFacts {
  readonly id: string;
  /** The server's id as it is stored; `window.reprise` gives the name, and the id as `serverId`. */
  readonly server: string;
  /** Left out: it calls a tool. */
  readonly method?: AskedMethod;
  /** The tool; or the name of the prompt, the URI of the resource, or the ID of the task. */
  readonly tool: string;
  readonly args: object;
  /** What was sent as `_meta` beside what the protocol needs. */
  readonly meta?: object;
  readonly startedAt: number;
  /** The app's name for this piece of work. */
  readonly key?: string;
  /** Left out: no limit. */
  readonly timeoutMs?: number;
  /** How long it may go on in the background after that; not at all, if this is not there. */
  readonly backgroundMs?: number;
  /** When it went on in the background. */
  readonly backgroundSince?: number;
  readonly repeatable: boolean;
  readonly progress?: CallProgress;
  /** Distinct messages of this call's stream. */
  readonly received: number;
  /** How many of them a resume delivered. */
  readonly replayed: number;
  /** How many more were dropped because they were already stored. */
  readonly duplicates: number;
  /** Made to a server without sessions: a closed stream is the cancellation. */
  readonly era?: 'stateless';
  /** The call runs on as this task. */
  readonly taskId?: string;
  /** How often the server asked for input before it went on. */
  readonly rounds?: number;
  /** At least so often the tool seems to have run. A second run and a third look the same. */
  readonly runs?: number;
  /** What showed it. */
  readonly ranAgain?: RunReason;
  /** Made by the view of an MCP App, which belongs to the call with this ID. */
  readonly appOf?: string;
}

/** The server has responded, or has refused the request. */
export interface SettledEnd {
  readonly name: 'settled';
  readonly settledAt: number;
  readonly result?: object;
  /** Without a message of the server or the browser, the reason says it. */
  readonly error?: CallError;
  /** For requests that the server refused. */
  readonly reason?: Reason;
  /** It was taken for lost, or its outcome for unknown, before the result arrived. */
  readonly isLate?: true;
  /** Where the response stands in the log: the result itself is stored there, once. */
  readonly resultSeq?: number;
  /** When the response was removed from the log to free space. */
  readonly resultRemovedAt?: number;
  /** The response is not in the log any more, and when it was removed is not known. */
  readonly isResultRemoved?: true;
}

/** There is no response, or none that this page can get. */
export interface GivenUpEnd {
  readonly name: 'cancelled' | 'lost' | 'unknown' | 'expired';
  readonly settledAt: number;
  readonly reason: Reason;
}

interface Open {
  readonly name: 'sending' | 'open' | 'needs-input';
}

export type CallEnd = SettledEnd | GivenUpEnd;

/** What other calls have can be read without asking which one it is. */
type Without<Fields> = { readonly [K in Exclude<keyof Fields, 'name'>]?: never };

export type OpenCall = CallFacts & Open & Without<SettledEnd>;
export type SettledCall = CallFacts & SettledEnd;
export type GivenUpCall = CallFacts & GivenUpEnd & Without<Omit<SettledEnd, 'settledAt' | 'reason'>>;

/** Told apart by `name`. */
export type Call = OpenCall | SettledCall | GivenUpCall;

export interface CallError {
  readonly code: number;
  readonly message?: string;
  readonly data?: unknown;
}

export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export function isToolCall({ method }: Pick<Call, 'method'>): boolean {
  return method === undefined;
}

export function isOpen<C extends Pick<Call, 'name'>>(call: C): call is C & Open {
  return call.name === 'sending' || call.name === 'open' || call.name === 'needs-input';
}
