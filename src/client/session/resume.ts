/** How a new page resumes what the last one left open, by kind of server. */
import { isOpen } from '../../log/state/call.ts';
import { STANDALONE } from '../../log/entry/entry.ts';
import type { Log } from '../../log/log.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { Calls } from '../calls/calls.ts';
import type { InputRounds } from '../inputRounds/inputRounds.ts';
import { decideStatelessFates, reloadedWith } from '../protocol/statelessFates.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { decideOldSseFates } from '../protocol/oldSse/oldSseFates.ts';
import type { Questions } from '../questions/questions.ts';
import type { Streams } from '../streams/streams.ts';

export interface Open {
  readonly log: Log;
  readonly calls: Calls;
  readonly questions: Questions;
  readonly tasks: Tasks;
  readonly rounds: InputRounds;
}

/** How long a page that comes back waits for what it has missed, before it ends a call that has had its time. */
const CATCHING_UP_MS = 3000;

/** Every stream that was open goes on from its event ID. */
export function resumeStreams({ log: { state }, calls, tasks }: Open, streams: Streams): void {
  // Some servers end a session whose ping is not answered, and pings come on the standalone stream: it goes first.
  const lastEventId = state.streams.get(STANDALONE)?.cursor;
  streams.restore(STANDALONE, undefined, { lastEventId, wasAnswered: true });
  // A task is polled on, whatever became of the stream that it began on.
  const open = [...state.calls.values()].filter((call) => isOpen(call) && call.taskId === undefined);
  for (const { id, name } of open) {
    const lastEventId = state.streams.get(id)?.cursor;
    // Without an event ID there is nothing to resume from. A bridge runs a repeated request once, and has its events.
    const isRepeated = lastEventId === undefined && state.bridge?.replay === 'bridge' && calls.repeat(id);
    if (!isRepeated) streams.restore(id, id, { lastEventId, wasAnswered: name !== 'sending' });
    calls.watch(id, { atLeastMs: CATCHING_UP_MS });
  }
  tasks.resume();
}

/**
 * Nothing was kept on the server's side: each open call is a task, a question with its state, or cancelled.
 * @returns what that meant for the calls
 */
export function resumeStateless({ log, calls, tasks, rounds }: Open): Reason | undefined {
  const fates = decideStatelessFates(log.state.calls.values(), log.state.continuations);
  for (const fate of fates) {
    if (fate.name !== 'cancelled' && fate.name !== 'dropped') continue;
    calls.change(fate.callId, { name: 'cancelled', reason: { code: 'reloaded', how: 'call' } });
  }
  tasks.resume();
  rounds.resume();
  return reloadedWith(fates);
}

/** A session of HTTP+SSE (deprecated) has ended with the page that had it: what was open is given up. */
export function giveUpOldSse({ log, calls, questions }: Open, reason: Reason): void {
  for (const { callId, ...change } of decideOldSseFates(log.state.calls.values()))
    calls.change(callId, change);
  questions.expireAll({ ...reason, so: 'answer-not-awaited' });
}

/** Resolves at the first outcome of coming back, good or bad. */
export function untilTried(log: Log): Promise<void> {
  return new Promise((resolve) => {
    const stop = log.changed.on((transitions) => {
      if (!transitions.some(({ kind }) => kind === 'stateChanged')) return;
      stop();
      resolve();
    });
  });
}
