/**
 * Closes the connection of a call after each few events and says when to come back (2025-11-25, "Sending Messages to
 * the Server", 6: the server MAY close the connection, and SHOULD send `retry` before; SEP-1699).
 */
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isResponse } from '../core/messages.ts';
import type { Session } from '../core/session.ts';
import { pipeFrames, retryFrame } from '../core/sse.ts';
import type { Profile } from './profile.ts';

const EVENTS_PER_CONNECTION = 3;
const RETRY_MS = 300;

export const polling: Profile = {
  name: 'polling',
  summary: 'closes the stream after a few events with retry, so the client polls',
  options: () => {
    const sent = new WeakMap<Session, Map<RequestId, number>>();
    return {
      retryMs: RETRY_MS,
      // A first-hand stream has it in its priming event.
      shape: (response, kind) =>
        kind === 'resumed' ? pipeFrames(response, { first: retryFrame(RETRY_MS) }) : response,
      afterSend: (session, message, requestId) => {
        if (requestId === undefined || isResponse(message)) return;
        const counts = sent.get(session) ?? new Map<RequestId, number>();
        const count = (counts.get(requestId) ?? 0) + 1;
        sent.set(session, counts.set(requestId, count));
        if (count % EVENTS_PER_CONNECTION === 0) session.transport.current.closeSSEStream(requestId);
      },
    };
  },
};
