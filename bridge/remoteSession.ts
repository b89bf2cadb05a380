/** A session of another bridge that shares the store: its events are read here, everything else is passed to its owner. */
import { PRIMING_SINCE, rpcError, sessionNotFound } from '../targets/core/messages.ts';
import { sseHeaders } from '../targets/core/sse.ts';
import type { BridgeEventStore } from './eventStore.ts';
import { followStream } from './followStream.ts';
import { forward, passOn } from './forward.ts';

/** The owner must know that a page is connected, or it would end the session. */
const TOUCH_EVERY_MS = 10_000;

export interface RemoteSession {
  readonly id: string;
  /** The origin of the bridge that has it. */
  readonly owner: string;
  readonly store: BridgeEventStore;
}

export async function fetchRemote(request: Request, session: RemoteSession): Promise<Response> {
  const lastEventId = request.headers.get('last-event-id');
  return request.method === 'GET' && lastEventId !== null
    ? resume(request, session, lastEventId)
    : pass(request, session);
}

async function resume(
  request: Request,
  { id, owner, store }: RemoteSession,
  after: string,
): Promise<Response> {
  const streamId = await store.streamOf(after);
  if (streamId === undefined) {
    return rpcError(400, -32000, 'Bad Request: unknown event ID, or later events were removed');
  }
  const timer = setInterval(() => void touch(request, owner), TOUCH_EVERY_MS);
  const { body } = followStream({
    store,
    streamId,
    after,
    isResumed: true,
    isPrimed: (request.headers.get('mcp-protocol-version') ?? '') >= PRIMING_SINCE,
    onEnd: () => clearInterval(timer),
  });
  return new Response(body, { headers: sseHeaders(id) });
}

async function pass(request: Request, { owner }: RemoteSession): Promise<Response> {
  const { method, headers, signal } = request;
  const body = method === 'POST' ? await request.text() : undefined;
  const answer = await forward(atOwner(request, owner), {
    method,
    headers,
    signal,
    ...(body !== undefined && { body }),
  }).catch(() => undefined);
  // The owner is gone, and the process with it.
  return answer ? passOn(answer) : sessionNotFound();
}

async function touch({ url, headers }: Request, owner: string): Promise<void> {
  const status = new URL(url);
  status.pathname += '/bridge';
  const signal = AbortSignal.timeout(TOUCH_EVERY_MS);
  const answer = await forward(atOwner({ url: status.href }, owner), {
    method: 'GET',
    headers,
    signal,
  }).catch(() => undefined);
  answer?.body.resume();
}

function atOwner({ url }: { readonly url: string }, owner: string): string {
  const { pathname, search } = new URL(url);
  return `${owner}${pathname}${search}`;
}
