/** What a reload means for the open calls of a stateless server: one of four things, and which it was. Pure. */
import { count } from '../../base/words.ts';
import { isOpen, isToolCall, type Call } from '../../log/call.ts';
import type { FollowUps } from '../../log/followUps.ts';

export type StatelessFate =
  /** Its handle is kept: it is polled on. */
  | { readonly name: 'task'; readonly callId: string }
  /** Its state is kept: it goes with the answer. */
  | { readonly name: 'question'; readonly callId: string }
  | { readonly name: 'cancelled'; readonly callId: string; readonly why: string }
  /** It read a resource or a prompt: who looks at that asks again. */
  | { readonly name: 'dropped'; readonly callId: string; readonly why: string };

const CANCELLED = 'Cancelled by the reload. On 2026-07-28, closing the stream of a call cancels it.';

export function decideStatelessFates(
  calls: Iterable<Call>,
  { rounds }: Pick<FollowUps, 'rounds'>,
): readonly StatelessFate[] {
  return [...calls].filter(isOpen).map((call): StatelessFate => {
    const { id: callId, taskId } = call;
    if (taskId !== undefined) return { name: 'task', callId };
    const round = rounds.get(callId);
    if (round && !round.isSent) return { name: 'question', callId };
    return { name: isToolCall(call) ? 'cancelled' : 'dropped', callId, why: CANCELLED };
  });
}

/** "1 task followed across the reload." */
export function describeFates(fates: readonly { readonly name: string }[]): string {
  const number = (name: string) => fates.filter((fate) => fate.name === name).length;
  const [tasks, questions, cancelled] = [number('task'), number('question'), number('cancelled')];
  const sentences = [
    ...(tasks > 0 ? [`${count(tasks, 'task')} followed across the reload.`] : []),
    ...(questions > 0 ? [`${count(questions, 'question')} kept, with the server’s state.`] : []),
    ...(cancelled > 0 ? [`${count(cancelled, 'call')} cancelled by the reload.`] : []),
  ];
  return sentences.join(' ') || 'Nothing was waiting for this page.';
}
