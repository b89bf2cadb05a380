/** Why no session could be begun. What looks for the cause is loaded when there is a failure. */
import type { TokenSource } from '../../auth/tokenSource.ts';
import { loadPart, PartMissing } from '../../base/loadPart.ts';
import { reason as wordsOf } from '../../base/words.ts';
import type { Failure } from '../../log/state/connectionState.ts';
import type { ConnectionSlot } from '../link/connectionSlot.ts';
import type { FailureContext } from './explainFailure.ts';

interface Seen extends Omit<FailureContext, 'lastFailure' | 'blocked'> {
  readonly auth: TokenSource;
  readonly slot: ConnectionSlot;
}

export async function explain(error: unknown, { auth, slot, ...context }: Seen): Promise<Failure> {
  const seen = { lastFailure: slot.lastFailure, blocked: auth.blocked };
  try {
    if (error instanceof PartMissing) throw error;
    const { explainFailure } = await loadPart(() => import('./explainFailure.ts'));
    return await explainFailure(error, { ...context, ...seen });
  } catch (missing) {
    return { reason: { code: 'part-missing', text: wordsOf(missing) } };
  }
}
