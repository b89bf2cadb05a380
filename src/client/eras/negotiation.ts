/** Decides which way of the protocol a server speaks, from what it made of the probe `server/discover`. Pure. */
import { isObject, numberField, objectField, stringField, type JsonObject } from '../../base/json.ts';
import { duration } from '../../base/words.ts';
import type { Cause, ReasonCode } from '../../log/reason.ts';

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
      readonly why: string;
      readonly reason: ReasonCode;
    }
  | ({ readonly name: 'session' } & Cause)
  /** Ask once more, with this revision. */
  | { readonly name: 'again'; readonly protocolVersion: string }
  | { readonly name: 'unauthorized'; readonly why: string }
  | { readonly name: 'failed'; readonly why: string; readonly fix: string };

const UNSUPPORTED_VERSION = -32022;

export function judgeProbe(outcome: ProbeOutcome, context: ProbeContext): ProbeVerdict {
  const verdict = judge(outcome, context);
  return verdict.name === 'session' && context.choice === 'stateless' ? noFallback(verdict.why) : verdict;
}

function judge(outcome: ProbeOutcome, context: ProbeContext): ProbeVerdict {
  switch (outcome.kind) {
    case 'answer':
      return judgeAnswer(outcome.message, context);
    case 'status':
      if (outcome.status === 401 || outcome.status === 403) {
        return { name: 'unauthorized', why: `The server asks who you are (${outcome.status}).` };
      }
      return {
        name: 'session',
        reason: 'probe-refused',
        why: `The server does not know server/discover (${outcome.status}).`,
      };
    case 'threw':
      return { name: 'session', reason: 'probe-blocked', why: BLOCKED_PROBE };
    case 'silence':
      return {
        name: 'session',
        reason: 'probe-silent',
        why: `The server did not answer server/discover within ${duration(outcome.afterMs)}.`,
      };
  }
}

/** A browser does not tell a refused preflight from a server that is not there. */
const BLOCKED_PROBE =
  'The probe for 2026-07-28 got no answer that this page may read. That is no proof of an old server: ' +
  'one that does not allow the headers Mcp-Method and Mcp-Name (CORS) looks the same from here.';

function judgeAnswer(message: JsonObject, context: ProbeContext): ProbeVerdict {
  const error = objectField(message, 'error');
  if (error) return judgeError(error, context);
  const discover = message['result'];
  const versions = isObject(discover) ? readVersions(discover['supportedVersions']) : undefined;
  if (!isObject(discover) || !versions) {
    return {
      name: 'session',
      reason: 'probe-refused',
      why: 'The server answers server/discover, but not as 2026-07-28 asks for.',
    };
  }
  const protocolVersion = mutual(versions);
  if (protocolVersion === undefined) return noMutualVersion(versions);
  return {
    name: 'stateless',
    protocolVersion,
    discover,
    reason: 'probe-answered',
    why: `The server answered server/discover: it speaks ${versions.join(', ')}.`,
  };
}

function judgeError(error: JsonObject, { isCorrected }: ProbeContext): ProbeVerdict {
  const code = numberField(error, 'code') ?? 0;
  const versions = readVersions(objectField(error, 'data')?.['supported']);
  // Other codes are no evidence: deployed session servers use them for "no session".
  if (code !== UNSUPPORTED_VERSION || !versions) {
    const words = stringField(error, 'message') ?? '';
    return {
      name: 'session',
      reason: 'probe-refused',
      why: `The server does not know server/discover (${code}: ${words}).`,
    };
  }
  const protocolVersion = mutual(versions);
  if (protocolVersion === undefined) return noMutualVersion(versions);
  if (!isCorrected) return { name: 'again', protocolVersion };
  return {
    name: 'failed',
    why: `The server offers ${protocolVersion} and refuses it (${code}).`,
    fix: 'Look at the log of the server: it contradicts itself.',
  };
}

function noMutualVersion(versions: readonly string[]): ProbeVerdict {
  const older = versions.filter((version) => version < (STATELESS_VERSIONS.at(-1) ?? ''));
  if (older.length > 0) {
    return { name: 'session', reason: 'probe-answered', why: `The server speaks ${older.join(', ')}.` };
  }
  return {
    name: 'failed',
    why: `The server speaks ${versions.join(', ')}; this page speaks ${STATELESS_VERSIONS.join(', ')} and older.`,
    fix: 'Use a newer Reprise, or let the server offer an older revision as well.',
  };
}

function noFallback(why: string): ProbeVerdict {
  return {
    name: 'failed',
    why: `This server does not speak ${STATELESS_VERSIONS.join(', ')} to this page. ${why}`,
    fix: 'Connect with the revision on automatic, or on session.',
  };
}

function mutual(versions: readonly string[]): string | undefined {
  return STATELESS_VERSIONS.find((version) => versions.includes(version));
}

function readVersions(value: unknown): readonly string[] | undefined {
  const isList = Array.isArray(value) && value.length > 0;
  return isList && value.every((version) => typeof version === 'string') ? value : undefined;
}
