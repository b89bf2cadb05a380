/** Finds out which way of the protocol a server speaks, where a person has not chosen one. */
import { isSpecType, type DiscoverResult } from '@modelcontextprotocol/client';
import { probe, type Discover } from './probe.ts';
import type { Revision } from '../serverRecord.ts';
import type { ReasonCode } from '../../log/reason.ts';

export interface Negotiated {
  /** Absent for a session server: it wants a handshake. */
  readonly discover?: DiscoverResult;
  readonly why: string;
  readonly reason: ReasonCode;
}

/** @returns nothing where there is nothing to find out; throws where the server can be spoken to in no way */
export async function negotiate(choice: Revision, discover: Discover): Promise<Negotiated | undefined> {
  if (choice === 'session' || choice === 'sse') return undefined;
  const verdict = await probe(choice, discover);
  switch (verdict.name) {
    case 'session':
      return { why: verdict.why, reason: verdict.reason };
    case 'stateless':
      if (isSpecType.DiscoverResult(verdict.discover)) {
        return { discover: verdict.discover, why: verdict.why, reason: verdict.reason };
      }
      if (choice === 'auto')
        return {
          why: 'The server answers server/discover, but not as 2026-07-28 asks for.',
          reason: 'probe-refused',
        };
      throw new NegotiationFailed(
        'The server answers server/discover, but not as 2026-07-28 asks for.',
        'Look at the exchange in the timeline: it shows what the server sent.',
      );
    case 'unauthorized':
      throw new Error(verdict.why);
    case 'failed':
      throw new NegotiationFailed(verdict.why, verdict.fix);
  }
}

class NegotiationFailed extends Error {
  override readonly name = 'NegotiationFailed';
  readonly fix: string;

  constructor(why: string, fix: string) {
    super(why);
    this.fix = fix;
  }
}
