/** What the authorization says to a person. Pure. */
import { asText } from '../base/asText.ts';
import { isObject, stringField } from '../base/json.ts';
import { reason } from '../base/words.ts';
import { HIDDEN } from '../wire/redact.ts';
import type { KeptTokens } from './authStore.ts';

export function whyLogin(kept: KeptTokens | undefined): string {
  return kept ? 'The login is over.' : 'The server asks for a login.';
}

/** Metadata that a schema refuses is told by its fields. */
export function whyNoMetadata(error: unknown): string {
  const issues = isObject(error) && Array.isArray(error['issues']) ? error['issues'] : [];
  const fields = issues.slice(0, 3).map((issue: unknown) => {
    const path = isObject(issue) && Array.isArray(issue['path']) ? issue['path'].map(asText).join('.') : '';
    return `${path}: ${stringField(issue, 'message') ?? 'not valid'}`;
  });
  return `The metadata of the authorization cannot be used (${fields.join('; ') || reason(error)}).`;
}

/** The server's own words come from the address; they are shown as text and as nothing else. */
export function wordsOf(error: unknown, parameters: URLSearchParams): string {
  const code = parameters.get('error');
  const description = parameters.get('error_description');
  const said = reason(error);
  if (code === null || !(said === code || said === description)) return said;
  return `the server said “${code}”${description === null ? '' : ` (${description})`}.`;
}

/** What the login page is asked for, without what must stay here. */
export function describeLogin(url: URL): Record<string, string> {
  return Object.fromEntries(
    [...url.searchParams].map(([name, value]) => [name, name === 'state' ? HIDDEN : value]),
  );
}
