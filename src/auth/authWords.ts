/** What the authorization says to a person. Pure. */
import { asText } from '../base/asText.ts';
import { isObject, stringField } from '../base/json.ts';
import { reason } from '../base/words.ts';
import type { KeptTokens } from './authStore.ts';

export const NO_PKCE =
  'The authorization server metadata doesn’t list S256 in code_challenge_methods_supported, and MCP requires PKCE.';
export const NO_METADATA =
  'The server requires authorization (HTTP 401), but has no OAuth metadata. Enter a bearer token under “Authorization and headers”, or try to log in.';
export const NO_REGISTRATION = 'The authorization server does not register this page by itself.';

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
