/** Which HTTP responses are failures: some error statuses are the answer that the standard asks for. */
import type { Entry } from '../log/entry/entry.ts';

type Http = Pick<Extract<Entry, { kind: 'http' }>, 'method' | 'status' | 'requestHeaders'>;

export function isRefused(http: Http): boolean {
  return (http.status >= 400 || http.status === 0) && !isAnsweredNo(http);
}

function isAnsweredNo({ method, status, requestHeaders }: Http): boolean {
  // MCP 2025-11-25, Streamable HTTP: no standalone stream here; sessions are not ended by clients.
  if (status === 405 && (method === 'GET' || method === 'DELETE')) return true;
  // Without a session ID, a GET asks if the server keeps sessions, and 400 says yes.
  const isSessionMissing = !('mcp-session-id' in requestHeaders) && !('last-event-id' in requestHeaders);
  if (method === 'GET' && status === 400 && isSessionMissing) return true;
  // The probe for 2026-07-28: every server of an earlier protocol version says no, each with a status of its own.
  const isProbe = requestHeaders['mcp-method'] === 'server/discover';
  return isProbe && status !== 0 && status !== 401 && status !== 403;
}
