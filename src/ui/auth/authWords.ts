/** The sentences of the login and of its steps. */
import type { Sentence } from '../parts/sentence.ts';

export const WORDS = {
  opaque: 'Opaque token: no readable claims.',
  noSteps: 'No authorization yet. Each step appears here when the server requires a login.',
  expireHint: 'Simulates expiry in this browser; the token stays valid on the server',
  plainHttp: 'The connection isn’t encrypted (HTTP).',
  mixUp:
    'Its metadata doesn’t advertise iss (RFC 9207), so Reprise can’t rule out a mix-up with another authorization server.',
  enterCredentials: 'Enter them under “Authorization and headers”, then connect.',
  withoutPkce:
    'Reprise doesn’t log in there, because the metadata doesn’t list S256 in code_challenge_methods_supported. MCP requires PKCE.',
  expire: 'Mark as expired',
  otherHost: (host: string) => `This isn’t the server’s host (${host}).`,
  register: (issuer: string): Sentence => [
    'Register a client manually, enter its ID under “Authorization and headers”, and reconnect. The client ID is sent to ',
    { strong: issuer },
    ' only.',
  ],
  metadata: (host: string): Sentence => [
    'Its login metadata is at ',
    { strong: host },
    '. Reprise reads it when you log in.',
  ],
  logInAt: (host: string): Sentence => ['Log in at ', { strong: host }, '.'],
  clientId: (id: string, issuer: string): Sentence => [
    'Your client ID ',
    { strong: id },
    ' is sent to ',
    { strong: issuer },
    ' only.',
  ],
  addToken: 'Add a bearer token',
  popup: 'Log in (popup)',
  without: 'Continue without login',
} as const;
