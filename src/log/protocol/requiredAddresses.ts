/**
 * MCP 2025-11-25, "URL Elicitation Required Error": a call that cannot go on before a person has been somewhere ends with
 * the addresses. They are questions of their own, which outlive the call.
 */
import { isObject, objectField, stringField, type JsonObject } from '../../base/json.ts';
import type { Question } from '../state/question.ts';

const URL_ELICITATION_REQUIRED = -32042;

export function requiredAddresses(
  error: { readonly code: number; readonly data?: unknown } | undefined,
  owner: { readonly callId: string; readonly server: string; readonly at: number },
): readonly Question[] {
  if (error?.code !== URL_ELICITATION_REQUIRED || !isObject(error.data)) return [];
  const listed = error.data['elicitations'];
  const asked = Array.isArray(listed) ? listed.filter(isAddress) : [];
  return asked.map((params, n): Question => {
    const id = `${owner.callId}/url/${n}`;
    return {
      id,
      rpcId: id,
      server: owner.server,
      method: 'elicitation/create',
      params: { ...params, mode: 'url' },
      callId: owner.callId,
      askedAt: owner.at,
      via: { kind: 'required' },
    };
  });
}

/** @returns those of them that `notifications/elicitation/complete` names */
export function completedAddresses(questions: Iterable<Question>, message: JsonObject): readonly Question[] {
  const id = stringField(objectField(message, 'params'), 'elicitationId');
  return [...questions].filter(
    ({ via, params }) =>
      via?.kind === 'required' && id !== undefined && stringField(params, 'elicitationId') === id,
  );
}

function isAddress(value: unknown): value is JsonObject {
  if (!isObject(value) || stringField(value, 'url') === undefined) return false;
  return (stringField(value, 'mode') ?? 'url') === 'url';
}
