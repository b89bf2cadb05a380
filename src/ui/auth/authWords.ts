/** The sentences of the login and of its steps. */

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
} as const;
