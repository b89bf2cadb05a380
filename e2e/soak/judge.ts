/** Compares what the server ran and sent with what the page shows in the end. Pure. */
import type { Run } from './ledger.ts';
import type { SoakServer } from './servers.ts';

/** A call as the last page of a trial shows it. */
export interface ShownCall {
  readonly key: string;
  /** The name of its state: `settled`, `unknown`, `lost`… */
  readonly name: string;
  readonly isOver: boolean;
  readonly why?: string;
  /** Texts of the messages, in the order of the log. */
  readonly messages: readonly string[];
  /** The text of its result. */
  readonly result?: string;
  /** Responses to it in the log. */
  readonly responses: number;
  readonly hasEventId: boolean;
}

export interface Trial {
  readonly server: SoakServer;
  /** The calls that the page was told to make, and whether it took them. */
  readonly asked: readonly { readonly key: string; readonly at: number; readonly wasAccepted: boolean }[];
  readonly runs: readonly Run[];
  /** Missing if the last page could not be read. */
  readonly shown?: readonly ShownCall[];
  /** When a page died, or the way to the server was disturbed. */
  readonly disturbed: readonly { readonly from: number; readonly to: number }[];
  readonly wasRestarted: boolean;
  /** The browser refused to store. */
  readonly wasFull: boolean;
  readonly pageErrors: readonly string[];
  /** A wait that was over its limit. */
  readonly stuck?: string;
}

export const FATES = ['whole', 'blind', 'told', 'not-run', 'lost', 'twice', 'run-twice', 'wrong'] as const;
/**
 * `blind`: no event ID had come before the page died. `told`: not whole, and the server can't do better. `not-run`: the
 * server never began it. The last four must not be.
 */
export type Fate = (typeof FATES)[number];

export interface Judged {
  readonly key: string;
  readonly fate: Fate;
  readonly why: string;
}

export interface Verdict {
  readonly calls: readonly Judged[];
  readonly problems: readonly string[];
}

const BAD: readonly Fate[] = ['lost', 'twice', 'run-twice', 'wrong'];

/** From the bytes of an event ID to the page's disk, on a busy machine. */
const STORED_WITHIN_MS = 2500;

export function judge(trial: Trial): Verdict {
  const { shown } = trial;
  const keys = new Set([...trial.asked, ...trial.runs, ...(shown ?? [])].map(({ key }) => key));
  const calls = shown ? [...keys].map((key) => ({ key, ...judgeCall(trial, shown, key) })) : [];
  return {
    calls,
    problems: [
      ...calls
        .filter(({ fate }) => BAD.includes(fate))
        .map(({ key, fate, why }) => `${fate}: ${key}, ${why}`),
      ...trial.pageErrors.map((error) => `page error: ${error}`),
      ...(trial.stuck === undefined ? [] : [`stuck: ${trial.stuck}`]),
    ],
  };
}

function judgeCall(trial: Trial, all: readonly ShownCall[], key: string): Omit<Judged, 'key'> {
  const runs = trial.runs.filter((run) => run.key === key && run.end?.how !== 'asked');
  const shown = all.filter((call) => call.key === key);
  const [call] = shown;
  if (shown.length > 1) return { fate: 'twice', why: 'the page shows it twice' };
  if (runs.length > 1 && trial.server.runsOnce)
    return { fate: 'run-twice', why: `the server ran it ${runs.length} times` };
  if (!call) return judgeMissing(trial, runs);
  const doubled = call.messages.find((text, at) => call.messages.indexOf(text) !== at);
  if (doubled !== undefined) return { fate: 'twice', why: `“${doubled}” was delivered twice` };
  if (call.responses > 1) return { fate: 'twice', why: `${call.responses} responses` };
  if (!call.isOver) return { fate: 'lost', why: `still ${call.name} at the end` };
  return call.name === 'settled' ? judgeSettled(trial, call, runs) : judgeUnsettled(trial, call, runs);
}

function judgeMissing({ wasFull, asked }: Trial, runs: readonly Run[]): Omit<Judged, 'key'> {
  if (runs.length === 0) return { fate: 'not-run', why: 'the page did not make it' };
  if (wasFull) return { fate: 'told', why: 'the browser rejected the write' };
  return { fate: 'lost', why: `it ran, and the page has no entry of it (${asked.length} input requests)` };
}

function judgeSettled(
  trial: Trial,
  { messages, result, key }: ShownCall,
  runs: readonly Run[],
): Omit<Judged, 'key'> {
  const run = runs.find(({ end }) => end?.how === 'done' && end.text === result);
  if (!run) {
    // A JSON-RPC error is a result too, where the run was stopped.
    const isStopped =
      result === undefined && (runs.length === 0 || runs.some(({ end }) => end?.how !== 'done'));
    return isStopped
      ? { fate: 'told', why: 'it ended with an error' }
      : { fate: 'wrong', why: `a result that the server never gave: ${result ?? '(an error)'}` };
  }
  if (!trial.server.sendsProgress) return { fate: 'whole', why: '' };
  const sent = runs.flatMap((one) => one.sent.map(({ text }) => text));
  const foreign = messages.find((text) => !sent.includes(text));
  if (foreign !== undefined) return { fate: 'wrong', why: `“${foreign}” is not of ${key}` };
  const own = messages.filter((text) => run.sent.some((one) => one.text === text));
  const missing = run.sent.filter(({ text }) => !own.includes(text));
  if (missing.length > 0) {
    const why = `${missing.length} of ${run.sent.length} messages are missing: ${missing[0]?.text ?? ''}`;
    // Storage that is full keeps nothing, and a second run on the same stream is the server's own doing.
    if (!trial.server.replays || trial.wasFull || runs.length > 1) return { fate: 'told', why };
    return { fate: 'lost', why };
  }
  const inOrder = run.sent.every(({ text }, at) => own[at] === text);
  return inOrder ? { fate: 'whole', why: '' } : { fate: 'wrong', why: 'messages out of order' };
}

function judgeUnsettled(trial: Trial, call: ShownCall, runs: readonly Run[]): Omit<Judged, 'key'> {
  const { server, wasRestarted, wasFull } = trial;
  const why = `${call.name}: ${call.why ?? ''}`;
  if (runs.length === 0) return { fate: 'not-run', why };
  if (wasRestarted || wasFull || !server.replays) return { fate: 'told', why };
  if (call.hasEventId) return { fate: 'lost', why: `${why} It had an event ID.` };
  const isBlind = runs.some((run) => wasDisturbedBeforeStored(trial, run));
  return isBlind
    ? { fate: 'blind', why }
    : { fate: 'lost', why: `${why} Its event ID was sent long before.` };
}

/** Whether the page could not yet have stored the first event ID of a run when something happened. */
function wasDisturbedBeforeStored({ server, disturbed, asked }: Trial, run: Run): boolean {
  const askedAt = asked.find(({ key }) => key === run.key)?.at ?? run.startedAt;
  const idAt = server.firstId === 'head' ? run.startedAt : (run.sent[0]?.at ?? run.end?.at ?? Infinity);
  return disturbed.some(({ from, to }) => to >= askedAt && from <= idAt + STORED_WITHIN_MS);
}
