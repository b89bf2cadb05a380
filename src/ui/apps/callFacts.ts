/** A call as its view is told of it. */
import type { CallFacts } from '../../apps/viewMachine.ts';
import { isOpen, type Call } from '../../log/state/call.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';
import type { TypedCall } from '../../state/selection.svelte.ts';
import { errorMessageOf } from '../../log/reasons/told.ts';

export function callFactsOf(call: Call | TypedCall): CallFacts {
  if (call.name === 'typing') return { name: 'typing', args: call.args };
  const { args, result, error, reason, name } = call;
  if (isOpen(call)) return { name: 'running', args };
  if (result) return { name: 'done', args, result };
  if (error) return { name: 'without-result', args, why: errorMessageOf(error, reason) };
  // The result is in the log, and is still being read.
  if (name === 'settled' && call.isResultRemoved === undefined && call.resultRemovedAt === undefined)
    return { name: 'running', args };
  return {
    name: 'without-result',
    args,
    why: reason ? reasonText(reason) : 'The result is no longer stored.',
  };
}
