/** Why no session could be begun. What looks for the cause is loaded when there is a failure. */
import { loadPart, PartMissing } from '../../base/loadPart.ts';
import { errorMessage } from '../../base/format.ts';
import type { Failure } from '../../log/state/connectionState.ts';
import type { ServerLink } from '../link/serverLink.ts';
import type { FailureContext } from './explainFailure.ts';

interface Seen extends Omit<FailureContext, 'lastFailure' | 'blocked'> {
  readonly link: Pick<ServerLink, 'lastFailure' | 'blocked'>;
}

export async function explain(error: unknown, { link, ...context }: Seen): Promise<Failure> {
  const { lastFailure, blocked } = link;
  try {
    if (error instanceof PartMissing) throw error;
    const { explainFailure } = await loadPart(() => import('./explainFailure.ts'));
    return await explainFailure(error, { ...context, lastFailure, blocked });
  } catch (missing) {
    return { reason: { code: 'part-missing', text: errorMessage(missing) } };
  }
}
