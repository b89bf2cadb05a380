/** What a POST that failed means for its call. Pure. */
import { isObject, numberField, stringField } from '../../base/json.ts';
import type { CallChange } from '../../log/entry/entry.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { Outcome, Verdict } from '../exchange/classifyFailure.ts';

/** MCP 2026-07-28, HeaderMismatch. */
const HEADER_MISMATCH = -32020;

/** @param wasRepeated the request was sent more than once, and may have been run the first time */
export function failureOf(
  verdict: Verdict,
  outcome: Outcome,
  { wasRepeated }: { readonly wasRepeated: boolean },
): CallChange {
  if (verdict.name === 'session-gone') {
    const so = wasRepeated ? 'may-have-run' : 'not-run-call-again';
    return { name: 'lost', reason: { ...verdict.reason, so } };
  }
  if (outcome.kind === 'threw') {
    return { name: 'unknown', reason: { code: 'no-answer', how: 'call', text: outcome.why } };
  }
  const { status, body } = outcome;
  const error = errorOf(body);
  if (error) return { name: 'failed', error, reason: { code: 'rpc-error' } };
  const reason = { code: 'http-error', status, because: verdict.reason } as const;
  return { name: 'failed', error: { code: status }, reason };
}

/** The server wants a login, or more rights, before it runs a call. */
export function refusalOf(verdict: Verdict, because: Reason): CallChange {
  const code = verdict.reason.code === 'forbidden' ? 'forbidden' : 'unauthorized';
  return { name: 'failed', error: { code: 403 }, reason: { code, because, so: 'not-run' } };
}

/** MCP 2026-07-28: a server that found headers and body to differ has not run the call. */
export function isHeaderMismatch(outcome: Outcome): boolean {
  return outcome.kind === 'status' && errorOf(outcome.body)?.code === HEADER_MISMATCH;
}

/** Some servers put a JSON-RPC error into the body of an error status. */
function errorOf(body: string): { code: number; message: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = isObject(parsed) ? parsed['error'] : undefined;
    const message = stringField(error, 'message');
    return message === undefined ? undefined : { code: numberField(error, 'code') ?? 0, message };
  } catch {
    return undefined;
  }
}
