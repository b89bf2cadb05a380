/**
 * For an unknown session a new one is made and fully connected *before* the 404 that carries its id is sent. The
 * standard still asks for a new `initialize` without a session id (2025-11-25, "Session Management", 4).
 */
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { rpcError, sessionNotFound } from '../core/messages.ts';
import type { Session } from '../core/session.ts';
import type { SessionRegistry } from '../core/sessions.ts';
import type { Profile } from './profile.ts';

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'fresh-404',
  method: 'initialize',
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'fresh-404', version: '1.0.0' },
  },
};

async function connectInside(session: Session, url: string): Promise<void> {
  const post = (body: object, headers: Record<string, string>) =>
    session.post(new Request(url, { method: 'POST', headers: { ...HEADERS, ...headers } }), body);
  const initialized = await post(INITIALIZE, {});
  const answer = await initialized.text();
  if (!initialized.ok || !answer.includes('"result"')) throw new Error(`initialize failed: ${answer}`);
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': session.id });
}

/** Nothing is left of a session that could not be started. */
async function startInside(sessions: SessionRegistry, url: string): Promise<Session | undefined> {
  let session: Session | undefined;
  try {
    session = await sessions.create();
    await connectInside(session, url);
    return session;
  } catch {
    await session?.close('not started');
    return undefined;
  }
}

export const fresh404: Profile = {
  name: 'fresh-404',
  summary: 'returns 404 with a new, already connected session ID for an unknown session',
  options: () => ({
    refuseUnknown: async (request, sessions) => {
      if (request.method === 'DELETE') return sessionNotFound();
      const session = await startInside(sessions, request.url);
      if (!session) return rpcError(500, -32603, "Internal error: can't start a new session");
      return rpcError(404, -32001, 'Session not found; a new one was created', {
        'mcp-session-id': session.id,
      });
    },
  }),
};
