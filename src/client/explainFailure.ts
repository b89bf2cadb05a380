/** Why a connection could not be made, and what helps. */
import type { Blocked } from '../auth/login.ts';
import { PartMissing } from '../base/loadPart.ts';
import { hideUrlKeys } from '../base/urlKeys.ts';
import { reason } from '../base/words.ts';
import type { Failure } from '../log/connectionState.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Credentials } from './connection.ts';
import { diagnose } from './doctor/diagnose.ts';
import { askBrowser } from './doctor/localNetwork.ts';
import { findOtherAddress } from './doctor/otherAddress.ts';
import type { PostFailure } from './streams/streams.ts';

export interface FailureContext {
  readonly url: string;
  readonly credentials: Credentials;
  readonly pageOrigin: string;
  readonly fetch: Fetch;
  readonly version: string;
  readonly isOnline: () => boolean;
  readonly lastFailure: PostFailure | undefined;
  readonly blocked: Blocked | undefined;
}

export async function explainFailure(error: unknown, context: FailureContext): Promise<Failure> {
  const { lastFailure, blocked, credentials } = context;
  if (error instanceof PartMissing) {
    return { why: error.message, fix: 'Reload the page when this site responds, then connect again.' };
  }
  // The reason of a fixed revision's failure says more than the status that it was read from; but for silence.
  if (isNegotiationFailure(error) && lastFailure?.verdict.name !== 'no-answer') {
    return { why: error.message, reason: 'protocol-version', fix: error.fix };
  }
  const verdict = lastFailure?.verdict;
  const versions = versionTrouble(error, lastFailure);
  if (versions) return versions;
  switch (verdict?.name) {
    case 'no-answer':
      return withDoubt(
        await diagnose({
          ...context,
          isOnline: context.isOnline(),
          headerNames: [
            ...Object.keys(credentials.headers ?? {}),
            ...(credentials.bearer === undefined ? [] : ['authorization']),
            ...(isNegotiationFailure(error) ? ['mcp-method', 'mcp-name'] : []),
          ],
          localNetwork: askBrowser,
        }),
      );
    case 'unauthorized':
      return blocked?.name === 'refused' ? blocked : verdict;
    case 'refused':
      return lastFailure?.request === 'initialize' ? lookElsewhere(verdict, context) : verdict;
    case 'retry':
      return {
        why: verdict.why,
        reason: verdict.reason,
        fix: 'Try again in a moment, or look at the log of the server.',
      };
    case 'session-gone':
      return describeForgetful(verdict.why);
    default:
      return {
        why: `The handshake failed: ${reason(error)}`,
        reason: 'handshake-failed',
        fix: 'Look at the exchange in the timeline: it shows what the server sent.',
      };
  }
}

/** Most often several instances behind a load balancer: the next request reaches one that doesn't know the session. */
export function describeForgetful(why: string): Failure {
  return {
    why: `The server starts sessions and then rejects them. ${why}`,
    reason: 'sessions-forgotten',
    fix: 'If it runs as several instances, route all requests of a session to the same one (by Mcp-Session-Id), or share the sessions between them.',
  };
}

/** The SDK's words, or those of a server that refuses the revision which it was offered. */
function versionTrouble(error: unknown, failure: PostFailure | undefined): Failure | undefined {
  const body = failure?.outcome.kind === 'status' ? failure.outcome.body : '';
  const words = [reason(error), body].find((text) => /protocol.?version/i.test(text));
  if (words === undefined || (failure?.outcome.kind === 'status' && failure.outcome.status !== 400)) {
    return undefined;
  }
  const named = /\b\d{4}-\d\d-\d\d\b/.exec(words)?.[0];
  return {
    why: `The server and this page share no revision of the protocol${named === undefined ? '' : ` (${named})`}.`,
    reason: 'protocol-version',
    fix: 'Let the server answer initialize with a revision from 2024-11-05 to 2025-11-25, or choose another protocol revision under “Authorization and headers”.',
  };
}

async function lookElsewhere(
  verdict: Pick<Failure, 'why' | 'reason' | 'fix'>,
  { url, fetch, version }: FailureContext,
): Promise<Failure> {
  const found = await findOtherAddress(url, fetch, version);
  switch (found?.name) {
    case 'streamable':
      return {
        ...verdict,
        fix: `An MCP server answers at ${hideUrlKeys(found.url)}: connect to it there.`,
        elsewhere: hideUrlKeys(found.url),
      };
    case 'old-sse':
      return {
        ...verdict,
        fix: `A server with the old HTTP+SSE transport answers at ${hideUrlKeys(found.url)}: connect to it there.`,
        elsewhere: hideUrlKeys(found.url),
      };
    case undefined:
      return verdict;
  }
}

/** By its name: the class is in the part of the page that comes later. */
function isNegotiationFailure(error: unknown): error is Error & { fix: string } {
  return error instanceof Error && error.name === 'NegotiationFailed' && 'fix' in error;
}

/** Which revision a server speaks cannot be seen through CORS. */
function withDoubt(failure: Failure): Failure {
  if (failure.reason !== 'cors') return failure;
  const doubt = 'Which revision it speaks cannot be seen from here: this is no proof of an old server.';
  return { ...failure, why: `${failure.why} ${doubt}` };
}
