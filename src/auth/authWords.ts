/** The words of servers and libraries that the authorization tells of. Pure. */
import { asText } from '../base/asText.ts';
import { isObject, stringField } from '../base/json.ts';
import { errorMessage } from '../base/format.ts';
import type { ReasonOf } from '../log/reasons/reason.ts';
import { factOf } from '../log/reasons/reasonError.ts';

/** Metadata that a schema refuses is told by its fields. */
export function metadataTrouble(error: unknown): string {
  const issues = isObject(error) && Array.isArray(error['issues']) ? error['issues'] : [];
  const fields = issues.slice(0, 3).map((issue: unknown) => {
    const path = isObject(issue) && Array.isArray(issue['path']) ? issue['path'].map(asText).join('.') : '';
    return `${path}: ${stringField(issue, 'message') ?? 'invalid'}`;
  });
  return fields.join('; ') || errorMessage(error);
}

/** The server's own words come from the address; they are shown as text and as nothing else. */
export function loginFailure(error: unknown, parameters: URLSearchParams): ReasonOf<'login-failed'> {
  const name = parameters.get('error');
  const description = parameters.get('error_description');
  const said = errorMessage(error);
  if (name === null || !(said === name || said === description)) {
    return { code: 'login-failed', how: 'refused', ...factOf(error, errorMessage) };
  }
  return {
    code: 'login-failed',
    how: 'server-error',
    name,
    ...(description !== null && { text: description }),
  };
}
