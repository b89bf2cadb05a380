/** Finds out which way of the protocol a server speaks, where a person has not chosen one. */
import type { DiscoverResult } from '@modelcontextprotocol/client';
import { probe, type Discover } from './probe.ts';
import { isDiscoverResult } from './serverFacts.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { Reason } from '../../log/reasons/reason.ts';

export interface Negotiated {
  /** Absent for a session server: it wants a handshake. */
  readonly discover?: DiscoverResult;
  readonly reason: Reason;
}

/** @returns nothing where there is nothing to find out; throws where the server can be spoken to in no way */
export async function negotiate(choice: Revision, discover: Discover): Promise<Negotiated | undefined> {
  if (choice === 'session' || choice === 'sse') return undefined;
  const verdict = await probe(choice, discover);
  switch (verdict.name) {
    case 'session':
      return { reason: verdict.reason };
    case 'stateless':
      if (isDiscoverResult(verdict.discover)) {
        return { discover: verdict.discover, reason: verdict.reason };
      }
      if (choice === 'auto') return { reason: { code: 'probe-refused', how: 'malformed' } };
      throw new NegotiationFailed({ code: 'protocol-version', how: 'malformed' });
    case 'unauthorized':
      throw new Error(`Authorization required (HTTP ${verdict.status}).`);
    case 'failed':
      throw new NegotiationFailed(verdict.reason);
  }
}

class NegotiationFailed extends Error {
  override readonly name = 'NegotiationFailed';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super('The server and this page have no common way to talk.');
    this.reason = reason;
  }
}
