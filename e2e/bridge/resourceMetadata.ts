/**
 * The protected resource metadata (RFC 9728) of a server behind the bridge. It is relayed, because the server may not let a
 * page read it. It names the URL of the server, so a client that knows only the bridge rejects it.
 */
import { forward, passOn } from './forward.ts';
import { asError, unreachable } from './httpUpstream.ts';

const PARAMETER = /(resource_metadata=)"[^"]*"/i;

/** A challenge that names the bridge's copy of the metadata. */
export function withRelayedMetadata(response: Response, requestUrl: string, path: string): Response {
  const challenge = response.headers.get('www-authenticate');
  if (challenge === null || !PARAMETER.test(challenge)) return response;
  const url = new URL(requestUrl);
  url.pathname += path;
  const headers = new Headers(response.headers);
  headers.set(
    'www-authenticate',
    challenge.replace(PARAMETER, (_, name: string) => `${name}"${url.href}"`),
  );
  return new Response(response.body, { status: response.status, headers });
}

/** Of the configured server only, from where RFC 9728 puts it: never from a URL that a response names. */
export async function relayMetadata(serverUrl: string): Promise<Response> {
  const { origin, pathname } = new URL(serverUrl);
  const path = '/.well-known/oauth-protected-resource';
  const signal = AbortSignal.timeout(10_000);
  const options = { method: 'GET', headers: new Headers({ accept: 'application/json' }), signal };
  for (const url of [`${origin}${path}${pathname === '/' ? '' : pathname}`, `${origin}${path}`]) {
    const answer = await forward(url, options).catch(asError);
    if (answer instanceof Error) return unreachable(answer);
    if (answer.status === 200) return passOn(answer);
    answer.body.resume();
  }
  return new Response(null, { status: 404 });
}
