/** Decides which way of the protocol a server speaks, from what it made of the probe `server/discover`. Pure. */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Reason } from '../../log/reasons/reason.ts';

/** What this page speaks in sessions, the best first. */
export const SESSION_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];
/** What this page speaks without sessions, the best first. */
export const STATELESS_VERSIONS: readonly string[] = ['2026-07-28'];

export type ProbeOutcome =
  /** A JSON-RPC answer, whatever HTTP status carried it: a 400 has a body that must be looked at. */
  | { readonly kind: 'answer'; readonly message: JsonObject }
  | { readonly kind: 'status'; readonly status: number }
  /** No answer that this page may read: no server, no network, or CORS. */
  | { readonly kind: 'threw'; readonly why: string }
  | { readonly kind: 'silence'; readonly afterMs: number };

export interface ProbeContext {
  /** `stateless`: there is no falling back. */
  readonly choice: 'auto' | 'stateless';
  /** The server has named another revision once already. */
  readonly isCorrected: boolean;
}

export type ProbeVerdict =
  | {
      readonly name: 'stateless';
      readonly protocolVersion: string;
      readonly discover: JsonObject;
      readonly reason: Reason;
    }
  | { readonly name: 'session'; readonly reason: Reason }
  /** Ask once more, with this revision. */
  | { readonly name: 'again'; readonly protocolVersion: string }
  | { readonly name: 'unauthorized'; readonly status: number }
  | { readonly name: 'failed'; readonly reason: Reason };

const UNSUPPORTED_VERSION = -32022;

export function judgeProbe(outcome: ProbeOutcome, context: ProbeContext): ProbeVerdict {
  const verdict = judge(outcome, context);
  return verdict.name === 'session' && context.choice === 'stateless' ? noFallback(verdict.reason) : verdict;
}

function judge(outcome: ProbeOutcome, context: ProbeContext): ProbeVerdict {
  switch (outcome.kind) {
    case 'answer':
      return judgeAnswer(outcome.message, context);
    case 'status':
      if (outcome.status === 401 || outcome.status === 403) {
        return { name: 'unauthorized', status: outcome.status };
      }
      return {
        name: 'session',
        reason: { code: 'probe-refused', how: 'refused', status: outcome.status },
      };
    case 'threw':
      // A browser does not tell a refused preflight from a server that is not there.
      return { name: 'session', reason: { code: 'probe-blocked' } };
    case 'silence':
      return { name: 'session', reason: { code: 'probe-silent', afterMs: outcome.afterMs } };
  }
}

function judgeAnswer(message: JsonObject, context: ProbeContext): ProbeVerdict {
  const error = objectField(message, 'error');
  if (error) return judgeError(error, context);
  const discover = message['result'];
  const versions = isObject(discover) ? readVersions(discover['supportedVersions']) : undefined;
  if (!isObject(discover) || !versions) {
    return { name: 'session', reason: { code: 'probe-refused', how: 'malformed' } };
  }
  const protocolVersion = mutual(versions);
  if (protocolVersion === undefined) return noMutualVersion(versions);
  return {
    name: 'stateless',
    protocolVersion,
    discover,
    reason: { code: 'probe-answered', how: 'stateless', versions },
  };
}

function judgeError(error: JsonObject, { isCorrected }: ProbeContext): ProbeVerdict {
  const code = numberField(error, 'code') ?? 0;
  const versions = readVersions(objectField(error, 'data')?.['supported']);
  // Other codes are no evidence: deployed session servers use them for "no session".
  if (code !== UNSUPPORTED_VERSION || !versions) {
    const text = stringField(error, 'message') ?? '';
    return { name: 'session', reason: { code: 'probe-refused', how: 'refused', rpcCode: code, text } };
  }
  const protocolVersion = mutual(versions);
  if (protocolVersion === undefined) return noMutualVersion(versions);
  if (!isCorrected) return { name: 'again', protocolVersion };
  return {
    name: 'failed',
    reason: {
      code: 'protocol-version',
      how: 'contradiction',
      version: protocolVersion,
      rpcCode: code,
    },
  };
}

function noMutualVersion(versions: readonly string[]): ProbeVerdict {
  const older = versions.filter((version) => version < (STATELESS_VERSIONS.at(-1) ?? ''));
  if (older.length > 0) {
    return { name: 'session', reason: { code: 'probe-answered', how: 'session', versions: older } };
  }
  return { name: 'failed', reason: { code: 'protocol-version', how: 'too-new', versions } };
}

function noFallback(because: Reason): ProbeVerdict {
  return { name: 'failed', reason: { code: 'protocol-version', how: 'no-fallback', because } };
}

function mutual(versions: readonly string[]): string | undefined {
  return STATELESS_VERSIONS.find((version) => versions.includes(version));
}

function readVersions(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0;
  return isList && value.every((version) => typeof version === 'string') ? value : undefined;
}
