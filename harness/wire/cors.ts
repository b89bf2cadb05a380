/** CORS headers for servers that send none. Pure. */
import type { WireExchange } from './model.ts';

type Headers = Readonly<Record<string, string>>;

export const isPreflight = ({
  kind,
  requestHeaders,
}: Pick<WireExchange, 'kind' | 'requestHeaders'>): boolean =>
  kind === 'preflight' && requestHeaders['access-control-request-method'] !== undefined;

export function allowOrigin({ origin }: Headers): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after',
  };
}

export function preflightHeaders(headers: Headers): Record<string, string> {
  const asked = headers['access-control-request-headers'];
  return {
    ...allowOrigin(headers),
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-private-network': 'true',
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
  };
}
