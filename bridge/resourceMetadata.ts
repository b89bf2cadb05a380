/**
 * What a page needs to log in to a server behind the bridge: its protected resource metadata (RFC 9728), which the server
 * may not let a page read, and its URL, which the token is for.
 */
import { BRIDGE_RESOURCE_HEADER } from '../src/base/bridgeContract.ts';
import { forward, passOn } from './forward.ts';
import { asError, unreachable } from './httpUpstream.ts';

const PARAMETER = /resource_metadata="[^"]*"/i;

/** A refusal that names the server, and the bridge's copy of its metadata. */
export function withLoginFacts(response: Response, serverUrl: string, metadataUrl: string): Response {
  if (response.status !== 401 && response.status !== 403) return response;
  const named = withResource(response, serverUrl);
  const challenge = named.headers.get('www-authenticate');
  // A page would look for the metadata of the bridge at the bridge.
  const isLogin = response.status === 401 || (challenge !== null && PARAMETER.test(challenge));
  if (isLogin) named.headers.set('www-authenticate', withMetadataUrl(challenge ?? 'Bearer', metadataUrl));
  return named;
}

function withMetadataUrl(challenge: string, url: string): string {
  const parameter = `resource_metadata="${url}"`;
  if (PARAMETER.test(challenge)) return challenge.replace(PARAMETER, () => parameter);
  if (!/^(bearer|dpop)\b/i.test(challenge)) return challenge;
  return challenge.includes('=') ? `${challenge}, ${parameter}` : `${challenge} ${parameter}`;
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
    if (answer.status === 200) return withResource(passOn(answer), serverUrl);
    answer.body.resume();
  }
  return withResource(new Response(null, { status: 404 }), serverUrl);
}

/** Without its query: keys of the server may be there. */
function withResource(response: Response, serverUrl: string): Response {
  const { origin, pathname } = new URL(serverUrl);
  const headers = new Headers(response.headers);
  headers.set(BRIDGE_RESOURCE_HEADER, `${origin}${pathname}`);
  return new Response(response.body, { status: response.status, headers });
}
