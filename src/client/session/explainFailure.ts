/** Why a connection could not be made, and what helps. */
import type { Implementation } from '@modelcontextprotocol/client';
import type { Blocked } from '../../auth/login.ts';
import { hideUrlKeys } from '../../base/urlKeys.ts';
import { errorMessage } from '../../base/format.ts';
import type { Failure } from '../../log/state/connectionState.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { Fetch } from '../../wire/recordingFetch.ts';
import type { Credentials } from '../settings/credentials.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { askBrowser } from '../doctor/localNetwork.ts';
import { findOtherAddress } from '../doctor/otherAddress.ts';
import type { RequestFailure } from '../streams/linkEvent.ts';

export interface FailureContext {
  readonly url: string;
  readonly credentials: Credentials;
  readonly pageOrigin: string;
  readonly fetch: Fetch;
  readonly clientInfo: Implementation;
  readonly isOnline: () => boolean;
  readonly lastFailure: RequestFailure | undefined;
  readonly blocked: Blocked | undefined;
}

export async function explainFailure(error: unknown, context: FailureContext): Promise<Failure> {
  const { lastFailure, blocked, credentials } = context;
  // The reason of a fixed revision's failure says more than the status that it was read from; but for silence.
  if (isNegotiationFailure(error) && lastFailure?.verdict.name !== 'no-answer') {
    return { reason: error.reason };
  }
  const verdict = lastFailure?.verdict;
  const versions = versionTrouble(error, lastFailure);
  if (versions) return { reason: versions };
  switch (verdict?.name) {
    case 'no-answer':
      return diagnose({
        ...context,
        isOnline: context.isOnline(),
        headerNames: [
          ...Object.keys(credentials.headers ?? {}),
          ...(credentials.bearer === undefined ? [] : ['authorization']),
          ...(isNegotiationFailure(error) ? ['mcp-method', 'mcp-name'] : []),
        ],
        localNetwork: askBrowser,
      });
    case 'unauthorized':
      return { reason: blocked?.name === 'refused' ? blocked.reason : verdict.reason };
    case 'refused':
      return lastFailure?.request === 'initialize'
        ? lookElsewhere(verdict.reason, context)
        : { reason: verdict.reason };
    case 'retry':
      return { reason: verdict.reason };
    case 'session-gone':
      return { reason: { code: 'sessions-forgotten', because: verdict.reason } };
    default:
      return { reason: { code: 'handshake-failed', text: errorMessage(error) } };
  }
}

/** Our own words, or those of a server that refuses the revision which it was offered. */
function versionTrouble(error: unknown, failure: RequestFailure | undefined): Reason | undefined {
  const body = failure?.outcome.kind === 'status' ? failure.outcome.body : '';
  const words = [errorMessage(error), body].find((text) => /protocol.?version/i.test(text));
  if (words === undefined || (failure?.outcome.kind === 'status' && failure.outcome.status !== 400)) {
    return undefined;
  }
  const version = /\b\d{4}-\d\d-\d\d\b/.exec(words)?.[0];
  return { code: 'protocol-version', how: 'not-shared', ...(version !== undefined && { version }) };
}

async function lookElsewhere(
  reason: Reason,
  { url, fetch, clientInfo }: Pick<FailureContext, 'url' | 'fetch' | 'clientInfo'>,
): Promise<Failure> {
  const found = await findOtherAddress(url, fetch, clientInfo);
  if (!found) return { reason };
  const elsewhere = hideUrlKeys(found.url);
  return { reason, elsewhere, ...(found.name === 'old-sse' && { isElsewhereOldSse: true }) };
}

/** By its name: the class is in the part of the page that comes later. */
function isNegotiationFailure(error: unknown): error is Error & { reason: Reason } {
  return error instanceof Error && error.name === 'NegotiationFailed' && 'reason' in error;
}
