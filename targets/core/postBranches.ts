/** A POST means one of four things, told apart by its session id and by whether it initializes. */
import { rpcError } from './messages.ts';
import type { Session } from './session.ts';
import type { SessionRegistry } from './sessions.ts';

export interface PostBranches {
  /** `initialize` on a session that is known. */
  readonly reconnect: (request: Request, body: unknown, session: Session) => Promise<Response>;
  /** Anything else on a session that is known. */
  readonly existing: (request: Request, body: unknown, session: Session) => Promise<Response>;
  /** `initialize` without a session id. */
  readonly new: (request: Request, body: unknown, sessions: SessionRegistry) => Promise<Response>;
  /** Anything else: no session id, or one that is not known. */
  readonly invalid: (request: Request, body: unknown, sessions: SessionRegistry) => Promise<Response>;
}

/** A session is initialized once (2025-11-25, "Lifecycle"). It goes on untouched; the client is told what to do. */
async function reconnectPost(): Promise<Response> {
  return rpcError(
    400,
    -32600,
    'Invalid Request: this session is already initialized. Continue it, or send no session ID',
  );
}

async function existingPost(request: Request, body: unknown, session: Session): Promise<Response> {
  return session.post(request, body);
}

async function newPost(request: Request, body: unknown, sessions: SessionRegistry): Promise<Response> {
  const session = await sessions.create();
  const response = await session.post(request, body);
  if (!response.ok) await session.close('refused');
  return response;
}

async function invalidPost(request: Request, _body: unknown, sessions: SessionRegistry): Promise<Response> {
  return sessions.refuse(request);
}

export const referenceBranches: PostBranches = {
  reconnect: reconnectPost,
  existing: existingPost,
  new: newPost,
  invalid: invalidPost,
};
