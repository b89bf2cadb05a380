/** Which URL a token is for, where a bridge stands between the page and the server. */
import { BRIDGE_RESOURCE_HEADER } from '../base/bridgeContract.ts';

/**
 * The URL of the server behind the bridge, as the bridge names it. Only the bridge that serves this page is believed: any
 * other server could name the URL of a third one, and get its tokens (RFC 9728, section 3.3).
 */
export function bridgedResource(response: Response, serverUrl: string, pageUrl: string): string | undefined {
  const resource = URL.parse(response.headers.get(BRIDGE_RESOURCE_HEADER) ?? '');
  const isOwnBridge = new URL(serverUrl).origin === new URL(pageUrl).origin;
  if (!isOwnBridge || !resource || !/^https?:$/.test(resource.protocol)) return undefined;
  return `${resource.origin}${resource.pathname}`;
}
