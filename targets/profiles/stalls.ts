/**
 * A resume replays what is stored and then nothing; the next GET, from the new position, brings more
 * (server-everything 2026.8.31). The stream stays open, so only its silence tells.
 */
import { rpcError } from '../core/messages.ts';
import type { Session } from '../core/session.ts';
import { messageFrame, sseHeaders } from '../core/sse.ts';
import type { Profile } from './profile.ts';

async function replayAndStall(session: Session, lastEventId: string): Promise<Response> {
  const frames: Uint8Array[] = [];
  const send = async (eventId: string, message: object) =>
    void frames.push(messageFrame(eventId, JSON.stringify(message)));
  try {
    await session.ledger?.store.replayEventsAfter(lastEventId, { send });
  } catch {
    return rpcError(400, -32000, 'Invalid event ID');
  }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => frames.forEach((frame) => controller.enqueue(frame)),
  });
  return session.track(new Response(body, { headers: sseHeaders(session.id) }), 'resumed');
}

export const stalls: Profile = {
  name: 'stalls',
  summary: 'a resumed stream stalls after the replay until the next GET',
  options: () => ({
    around: async (request, next, sessions) => {
      const session = sessions.find(request);
      const lastEventId = request.headers.get('last-event-id');
      if (request.method !== 'GET' || !session || !lastEventId) return next(request);
      return replayAndStall(session, lastEventId);
    },
  }),
};
