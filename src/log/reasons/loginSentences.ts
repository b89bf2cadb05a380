/** The sentences about logins and authorization. */
import { bytes, plural } from '../../base/format.ts';
import type { Reason, ReasonOf } from './reason.ts';
import { inside } from './reasonPhrases.ts';
import type { Sentences } from './sentences.ts';
import { after } from './shortTexts.ts';

type LoginCode =
  | 'login-needed'
  | 'login-failed'
  | 'login-not-started'
  | 'client-needed'
  | 'client-secret-needed'
  | 'credentials-needed'
  | 'scope-not-granted'
  | 'challenge-hidden'
  | 'no-pkce'
  | 'metadata-incomplete'
  | 'metadata-elsewhere'
  | 'metadata-unusable'
  | 'metadata-rejected'
  | 'unsafe-url'
  | 'auth-incomplete'
  | 'auth-refused'
  | 'auth-unreadable'
  | 'auth-too-large'
  | 'auth-redirected'
  | 'auth-no-answer';

const NO_PKCE =
  'The authorization server metadata doesn’t list S256 in code_challenge_methods_supported, and MCP requires PKCE.';

/** @param reasonText the sentence of a reason that is behind another */
export const loginSentences = (reasonText: (reason: Reason) => string): Pick<Sentences, LoginCode> => ({
  'login-needed': ({ how, scope }) =>
    ({
      first: 'This server requires a login.',
      over: 'Your login has expired.',
      'token-refused': 'The server rejected a token that was just refreshed.',
      scope: `The server requires more scopes${after(': ', scope)}.`,
      'no-metadata':
        'The server requires authorization (HTTP 401), but has no OAuth metadata. Enter a bearer token under “Authorization and headers”, or try to log in.',
    })[how],
  'login-failed': ({ how, name, text, because }) =>
    ({
      'not-begun': 'Ignored a login response that doesn’t match any login started here.',
      'too-late':
        'This login was started more than 15 minutes ago, so its response was ignored. Log in again.',
      'mix-up':
        'The login response arrived at the redirect URL of another authorization server (mix-up attack, RFC 9700). Reprise didn’t send its code. Check where you logged in.',
      'server-error': `Login failed: the server returned “${name ?? 'error'}”${inside(text)}.`,
      'no-address': 'The authorization server’s metadata has no authorization endpoint.',
      refused: because
        ? `Login failed. ${reasonText(because)}`
        : text === undefined
          ? 'Login failed.'
          : `Login failed: ${text}`,
    })[how],
  'login-not-started': ({ how, host = 'another host' }) =>
    how === 'host-changed'
      ? `The login page has moved to ${host}. Log in again to open it.`
      : 'No login in progress. Reconnect to log in.',
  'client-needed': 'The authorization server doesn’t support automatic client registration.',
  'client-secret-needed': 'client_secret_basic needs a client secret.',
  'credentials-needed': ({ how }) =>
    how === 'other-tab'
      ? 'Enter the credentials again. They’re stored for another tab only.'
      : 'Enter the server URL with its key again. The stored key can’t be decrypted.',
  'scope-not-granted': ({ logins, scope }) =>
    `The server still requires more scopes${inside(scope)} after ${plural(logins, 'login')}.`,
  'challenge-hidden':
    'The page can’t read a WWW-Authenticate header. Is it listed in Access-Control-Expose-Headers?',
  'no-pkce': ({ how }) =>
    ({
      refused: NO_PKCE,
      continued: `${NO_PKCE} You continued anyway.`,
      'not-listed': 'The metadata doesn’t advertise PKCE.',
      'no-s256': 'The metadata doesn’t advertise PKCE with S256.',
    })[how],
  'metadata-incomplete': ({ how, names }) =>
    ({
      resource: 'The metadata has no “resource”.',
      servers: 'The metadata lists no authorization server.',
      fields: `The metadata is missing ${names?.join(', ') ?? 'fields'}.`,
    })[how],
  'metadata-elsewhere': ({ url = 'another server', newUrl = 'this one' }) =>
    `The metadata is for ${url}, not ${newUrl}. Its tokens wouldn’t be valid here.`,
  'metadata-unusable': ({ text, because }) =>
    because
      ? `Invalid authorization metadata. ${reasonText(because)}`
      : `Invalid authorization metadata${inside(text)}.`,
  'metadata-rejected': ({ text = 'Authorization metadata rejected.', because }) =>
    because ? reasonText(because) : text,
  'unsafe-url': (reason) => unsafeUrlText(reason),
  'auth-incomplete': ({ how }) => `The response has no ${how}.`,
  'auth-refused': ({ status, text }) =>
    `The server rejected the request (HTTP ${status}${after(': ', text)}).`,
  'auth-unreadable': ({ contentType }) =>
    `The response isn’t a JSON object${inside(contentType)}, so it wasn’t used or recorded.`,
  'auth-too-large': ({ limitBytes }) => `The response is larger than ${bytes(limitBytes)}, so it isn’t read.`,
  'auth-redirected': 'The server redirects to another URL. Reprise doesn’t follow redirects here.',
  'auth-no-answer': ({ text }) =>
    `No readable response${inside(text)}. Check that the server is running and allows this page’s origin (CORS).`,
});

function unsafeUrlText({ how, name, host, text }: ReasonOf<'unsafe-url'>): string {
  const what =
    name === undefined ? 'A URL in the authorization server’s metadata' : `The ${name} in the metadata`;
  return how === 'http'
    ? `${what} uses http${inside(host)}. Use https, or http on localhost.`
    : `${what} uses ${text === undefined ? 'another scheme' : `“${text}”`}. Only http and https are allowed.`;
}
