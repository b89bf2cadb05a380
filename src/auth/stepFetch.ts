/** The fetch of the authorization: every exchange becomes an entry of the log, without its secrets. */
import { errorMessage } from '../base/format.ts';
import type { AuthBody, AuthStep } from '../log/entry/entry.ts';
import type { Reason } from '../log/reasons/reason.ts';
import { ReasonError } from '../log/reasons/reasonError.ts';
import { hideInFacts } from '../wire/hideInTexts.ts';
import { BodyTooLarge, MAX_OAUTH_BYTES, readBody, withBody } from '../wire/readBody.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import { findSecrets } from './findSecrets.ts';
import {
  parseBody,
  parseObject,
  recordAnswer,
  recordSent,
  secretsSent,
  type ReadBody,
} from './recordedFields.ts';
import { findProblem } from './standard.ts';
import { requireSecureUrl, requireWebUrl } from './webUrl.ts';

type Redact = (text: string) => string;

export interface StepFetchOptions {
  readonly fetch: Fetch;
  /** The URL of the server that a response is about. */
  readonly resourceOf: (response: Response) => string;
  readonly record: (body: AuthBody) => void;
  /** Hides known secrets in any text. */
  readonly redact: Redact;
  readonly onSecrets: (values: readonly string[]) => void;
}

const ANSWER_CHARS = 8000;

export function createStepFetch(options: StepFetchOptions): Fetch {
  const { record, redact } = options;
  return async (address, init = {}) => {
    const check = init.method === 'POST' ? requireSecureUrl : requireWebUrl;
    const url = check(new URL(address));
    const sent = sentFields(init.body);
    options.onSecrets(secretsSent(Object.entries(sent)));
    const asked = {
      step: stepOf(url, init.method ?? 'GET', sent),
      method: init.method ?? 'GET',
      url: redact(url.href),
      ...(Object.keys(sent).length > 0 && { sent: mapValues(recordSent(Object.entries(sent)), redact) }),
    };
    let response: Response;
    let text: string;
    try {
      response = await options.fetch(url, init);
      text = await readBody(response, MAX_OAUTH_BYTES);
    } catch (error) {
      record({ ...asked, reason: whyNoAnswer(error) });
      throw error;
    }
    // An opaque redirect: the SDK refuses to follow it to another origin, and so must the log.
    if (response.status === 0) {
      record({ ...asked, status: 0, reason: { code: 'auth-redirected' } });
      return response;
    }
    const body = parseBody(text, response.headers.get('content-type'));
    options.onSecrets(findSecrets(text, isDocument(asked.step) ? 'document' : 'credentials'));
    const unreadable = whyUnreadable(asked.step, response.status, body);
    const problem =
      unreadable ?? findProblem(asked.step, response.status, body.fields ?? {}, options.resourceOf(response));
    record({
      ...asked,
      status: response.status,
      answer: redact(recordAnswer(asked.step, body)).slice(0, ANSWER_CHARS),
      ...(problem && { reason: hideInFacts(problem, redact) }),
    });
    // The SDK quotes what it cannot parse, or a refusal, in its errors. Those are shown and recorded.
    if (unreadable) throw new ReasonError(unreadable);
    // The SDK gets what was read and counted here.
    const isSafe = response.ok || isDocument(asked.step);
    return isSafe ? withBody(response, text) : safeRefusal(response, body, redact);
  };
}

const isDocument = (step: AuthStep): boolean => step === 'resource' || step === 'issuer';

function whyUnreadable(
  step: AuthStep,
  status: number,
  { contentType, fields }: ReadBody,
): Reason | undefined {
  if (fields || status < 200 || status >= 300 || step === 'logout') return undefined;
  return { code: 'auth-unreadable', contentType };
}

function safeRefusal({ status }: Response, { contentType, fields }: ReadBody, redact: Redact): Response {
  const { error, error_description: description } = fields ?? {};
  const isNamed = typeof error === 'string';
  const words = isNamed ? description : `HTTP ${status} without an OAuth error (${contentType})`;
  return Response.json(
    {
      error: isNamed ? redact(error) : 'server_error',
      ...(typeof words === 'string' && { error_description: redact(words) }),
    },
    { status },
  );
}

function whyNoAnswer(error: unknown): Reason {
  if (error instanceof BodyTooLarge) return { code: 'auth-too-large', limitBytes: error.limitBytes };
  return { code: 'auth-no-answer', text: errorMessage(error) };
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
  return (typeof body === 'string' ? parseObject(body) : undefined) ?? {};
}

function mapValues(fields: Readonly<Record<string, string>>, map: Redact): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(value)]));
}
