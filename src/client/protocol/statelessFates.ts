/** What a reload means for the open calls of a stateless server: one of four things, and which it was. Pure. */
import { isOpen, isToolCall, type Call } from '../../log/state/call.ts';
import type { ServerState } from '../../log/state/serverState.ts';
import type { ReasonOf } from '../../log/reasons/reason.ts';

export type StatelessFate =
  /** Its handle is kept: it is polled on. */
  | { readonly name: 'task'; readonly callId: string }
  /** Its state is kept: it goes with the answer. */
  | { readonly name: 'question'; readonly callId: string }
  /** MCP 2026-07-28: closing the stream of a call cancels it. */
  | { readonly name: 'cancelled'; readonly callId: string }
  /** It read a resource or a prompt: who looks at that asks again. */
  | { readonly name: 'dropped'; readonly callId: string };

export function decideStatelessFates(
  calls: Iterable<Call>,
  { rounds }: Pick<ServerState['continuations'], 'rounds'>,
): readonly StatelessFate[] {
  return [...calls].filter(isOpen).map((call): StatelessFate => {
    const { id: callId, taskId } = call;
    if (taskId !== undefined) return { name: 'task', callId };
    const round = rounds.get(callId);
    if (round && !round.isSent) return { name: 'question', callId };
    return { name: isToolCall(call) ? 'cancelled' : 'dropped', callId };
  });
}

/** What a reload meant for the calls. */
export function reloadedWith(
  fates: readonly { readonly name: StatelessFate['name'] }[],
): ReasonOf<'reloaded'> {
  const number = (name: StatelessFate['name']) => fates.filter((fate) => fate.name === name).length;
  return {
    code: 'reloaded',
    how: 'page',
    tasks: number('task'),
    questions: number('question'),
    cancelled: number('cancelled'),
  };
}
