/** Asks a server which way of the protocol it speaks, before anything else is said to it. */
import type { JsonObject } from '../../base/json.ts';
import { errorMessage } from '../../base/format.ts';
import {
  judgeProbe,
  STATELESS_VERSIONS,
  type ProbeContext,
  type ProbeOutcome,
  type ProbeVerdict,
} from './negotiation.ts';
import { NoAnswer } from './rawRequests.ts';
import { RequestRefused } from './requestRefused.ts';

/** A session server may keep silent to a request that it does not know. */
const PROBE_TIMEOUT_MS = 8000;

/** Sends `server/discover` in this revision, and waits for its answer. */
export type Discover = (protocolVersion: string, timeoutMs: number) => Promise<JsonObject>;

export async function probe(
  choice: ProbeContext['choice'],
  discover: Discover,
): Promise<Exclude<ProbeVerdict, { name: 'again' }>> {
  const [wanted = ''] = STATELESS_VERSIONS;
  const first = judgeProbe(await attempt(discover, wanted), { choice, isCorrected: false });
  if (first.name !== 'again') return first;
  const second = judgeProbe(await attempt(discover, first.protocolVersion), { choice, isCorrected: true });
  if (second.name !== 'again') return second;
  throw new Error('A corrected probe is never corrected again.');
}

async function attempt(discover: Discover, protocolVersion: string): Promise<ProbeOutcome> {
  try {
    return { kind: 'answer', message: await discover(protocolVersion, PROBE_TIMEOUT_MS) };
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'silence', afterMs: PROBE_TIMEOUT_MS };
    if (error instanceof RequestRefused) return { kind: 'status', status: error.status };
    return { kind: 'threw', why: errorMessage(error) };
  }
}
