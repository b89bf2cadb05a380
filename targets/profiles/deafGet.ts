/**
 * A resume of the standalone stream answers 200 and stays silent for the rest of the session; a plain GET brings every
 * message from then on (the event store of the SDK's examples, and servers that copied it; typescript-sdk #943). Calls
 * are resumed as they should be.
 */
import { STANDALONE_STREAM_ID } from '../core/messages.ts';
import { sseHeaders } from '../core/sse.ts';
import type { Profile } from './profile.ts';

export const deafGet: Profile = {
  name: 'deaf-get',
  summary: 'a resumed standalone stream never gets events; a plain GET does',
  options: () => ({
    around: async (request, next, sessions) => {
      const session = sessions.find(request);
      const lastEventId = request.headers.get('last-event-id');
      if (request.method !== 'GET' || !session || !lastEventId) return next(request);
      const isStandalone = (await session.ledger?.streamOf(lastEventId)) === STANDALONE_STREAM_ID;
      if (!isStandalone) return next(request);
      return session.track(
        new Response(new ReadableStream(), { headers: sseHeaders(session.id) }),
        'resumed',
      );
    },
  }),
};
