/** The fetch of the authorization: every exchange becomes an entry of the log, without its secrets. */
import { reason } from '../base/words.ts';
import type { AuthBody, AuthStep } from '../log/entry.ts';
import { BodyTooLarge, MAX_OAUTH_BYTES, readBody, withBody } from '../wire/readBody.ts';
import { HIDDEN } from '../wire/redact.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import { findProblem } from './standard.ts';
import { requireWebUrl } from './webUrl.ts';

export interface StepFetchOptions {
  readonly fetch: Fetch;
  readonly serverUrl: string;
  readonly record: (body: AuthBody) => void;
  /** Hides known secrets in any text. */
  readonly redact: (text: string) => string;
  readonly onSecrets: (values: readonly string[]) => void;
}

const SECRET_FIELDS = new Set([
  ...['code', 'code_verifier', 'client_secret', 'client_assertion', 'state', 'token'],
  ...['access_token', 'refresh_token', 'id_token', 'registration_access_token'],
]);
const ANSWER_CHARS = 8000;

export function createStepFetch(options: StepFetchOptions): Fetch {
  const { record, redact } = options;
  return async (address, init = {}) => {
    const url = requireWebUrl(new URL(address), 'An address in the metadata of the authorization server');
    const sent = sentFields(init.body);
    options.onSecrets(secretsIn(sent));
    const asked = {
      step: stepOf(url, init.method ?? 'GET', sent),
      method: init.method ?? 'GET',
      url: redact(url.href),
      ...(Object.keys(sent).length > 0 && { sent: hideSecrets(sent) }),
    };
    let response: Response;
    let text: string;
    try {
      response = await options.fetch(url, init);
      text = await readBody(response, MAX_OAUTH_BYTES);
    } catch (error) {
      record({ ...asked, problem: whyNoAnswer(error) });
      throw error;
    }
    // An opaque redirect: the SDK refuses to follow it to another origin, and so must the log.
    if (response.status === 0) {
      record({
        ...asked,
        status: 0,
        problem: 'The server redirects elsewhere. This page does not follow it.',
      });
      return response;
    }
    const answer = parseAnswer(text);
    options.onSecrets(secretsIn(answer));
    const problem = findProblem(asked.step, response.status, answer, options.serverUrl);
    record({
      ...asked,
      status: response.status,
      answer: redact(
        Object.keys(answer).length > 0 ? JSON.stringify(hideSecrets(answer)) : text.slice(0, ANSWER_CHARS),
      ),
      ...(problem !== undefined && { problem: redact(problem) }),
    });
    // The SDK gets what was read and counted here.
    return withBody(response, text);
  };
}

function whyNoAnswer(error: unknown): string {
  if (error instanceof BodyTooLarge) return error.message;
  return `No answer that this page may read (${reason(error)}). Is the server up, and does it allow this page's origin (CORS)?`;
}

export function stepOf(url: URL, method: string, sent: Readonly<Record<string, unknown>>): AuthStep {
  if (/\/\.well-known\/(oauth-authorization-server|openid-configuration)/.test(url.pathname)) return 'issuer';
  if (method !== 'POST') return 'resource';
  if (sent['grant_type'] === 'refresh_token') return 'refresh';
  if (sent['grant_type'] !== undefined) return 'token';
  return 'token' in sent ? 'logout' : 'registration';
}

function sentFields(body: unknown): Record<string, unknown> {
  if (body instanceof URLSearchParams) return Object.fromEntries(body);
  return typeof body === 'string' ? parseAnswer(body) : {};
}

function parseAnswer(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function secretsIn(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    SECRET_FIELDS.has(name) && typeof value === 'string' ? [value] : [],
  );
}

function hideSecrets(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const safe = Object.entries(fields).map(([name, value]) => {
    if (SECRET_FIELDS.has(name)) return [name, HIDDEN];
    return [name, typeof value === 'string' ? value : JSON.stringify(value)];
  });
  return Object.fromEntries(safe) as Record<string, string>;
}
