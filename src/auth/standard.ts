/** What the standards ask at each step of the authorization, and what was wrong with an answer. Pure. */
import { assertNever } from '../base/assertNever.ts';
import { stringField, type JsonObject } from '../base/json.ts';
import type { AuthStep } from '../log/entry/entry.ts';
import type { Reason } from '../log/reasons/reason.ts';

export interface StepWords {
  readonly title: string;
  readonly asks: string;
}

export function describeStep(step: AuthStep): StepWords {
  switch (step) {
    case 'challenge':
      return {
        title: 'Authorization required',
        asks: 'Expected: 401 with WWW-Authenticate: Bearer, including resource_metadata and the required scope (RFC 9728, section 5.1).',
      };
    case 'resource':
      return {
        title: 'Protected resource metadata',
        asks: 'Expected: the resource and at least one authorization server (RFC 9728). Looked up at the challenge’s URL, then under the path, then at the root.',
      };
    case 'issuer':
      return {
        title: 'Authorization server metadata',
        asks: 'Expected: RFC 8414 or OpenID Connect Discovery metadata, an issuer that matches its URL, and PKCE with S256.',
      };
    case 'registration':
      return {
        title: 'Client registration',
        asks: 'Expected: a client ID (RFC 7591) with this page as the redirect URI.',
      };
    case 'login':
      return {
        title: 'Login',
        asks: 'Expected: login at the authorization endpoint with PKCE, state and resource (RFC 7636, RFC 8707).',
      };
    case 'callback':
      return {
        title: 'Callback',
        asks: 'Expected: the code, the same state, and iss if the metadata advertises it (RFC 9207).',
      };
    case 'token':
      return {
        title: 'Token',
        asks: 'Expected: one access token for the code and verifier, limited to this resource (RFC 6749, section 4.1.3).',
      };
    case 'refresh':
      return {
        title: 'Refresh',
        asks: 'Expected: a new access token; for public clients, a new refresh token too (OAuth 2.1, section 4.3.1).',
      };
    case 'logout':
      return { title: 'Revocation', asks: 'Expected: 200, and the tokens become invalid (RFC 7009).' };
    default:
      return assertNever(step);
  }
}

/** What was wrong with an answer; `undefined` if nothing was. */
export function findProblem(
  step: AuthStep,
  status: number,
  answer: JsonObject,
  serverUrl: string,
): Reason | undefined {
  if (status >= 400) return refusal(step, status, answer);
  switch (step) {
    case 'resource':
      return problemOfResource(answer, serverUrl);
    case 'issuer':
      return problemOfIssuer(answer);
    case 'registration':
      return stringField(answer, 'client_id') === undefined
        ? { code: 'auth-incomplete', how: 'client_id' }
        : undefined;
    case 'token':
    case 'refresh':
      return stringField(answer, 'access_token') === undefined
        ? { code: 'auth-incomplete', how: 'access_token' }
        : undefined;
    case 'challenge':
    case 'login':
    case 'callback':
    case 'logout':
      return undefined;
    default:
      return assertNever(step);
  }
}

function refusal(step: AuthStep, status: number, answer: JsonObject): Reason | undefined {
  // Metadata has several places; a place without it is no fault.
  if (status === 404 && (step === 'resource' || step === 'issuer')) return undefined;
  const error = stringField(answer, 'error');
  const description = stringField(answer, 'error_description');
  const text = [error, description].filter((part) => part !== undefined).join(': ');
  return { code: 'auth-refused', status, ...(text !== '' && { text }) };
}

function problemOfResource(answer: JsonObject, serverUrl: string): Reason | undefined {
  const resource = stringField(answer, 'resource');
  if (resource === undefined) return { code: 'metadata-incomplete', how: 'resource' };
  if (!isWithin(serverUrl, resource)) {
    return { code: 'metadata-elsewhere', url: resource, newUrl: serverUrl };
  }
  const servers = answer['authorization_servers'];
  return Array.isArray(servers) && servers.length > 0
    ? undefined
    : { code: 'metadata-incomplete', how: 'servers' };
}

function problemOfIssuer(answer: JsonObject): Reason | undefined {
  const missing = ['issuer', 'authorization_endpoint', 'token_endpoint'].filter(
    (name) => stringField(answer, name) === undefined,
  );
  if (missing.length > 0) return { code: 'metadata-incomplete', how: 'fields', names: missing };
  const methods = answer['code_challenge_methods_supported'];
  if (!Array.isArray(methods)) return { code: 'no-pkce', how: 'not-listed' };
  return methods.includes('S256') ? undefined : { code: 'no-pkce', how: 'no-s256' };
}

function isWithin(serverUrl: string, resource: string): boolean {
  const [server, named] = [URL.parse(serverUrl), URL.parse(resource)];
  return server !== null && named?.origin === server.origin && server.pathname.startsWith(named.pathname);
}
