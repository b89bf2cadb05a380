/** Allows one GET in a session, ever: every later one gets 400 (the C# SDK; so no resume, and no new listening stream). */
import { rpcError } from '../core/messages.ts';
import type { Session } from '../core/session.ts';
import type { Profile } from './profile.ts';

export const getOnce: Profile = {
  name: 'get-once',
  summary: 'allows one GET per session; later ones return 400',
  options: () => {
    const used = new WeakSet<Session>();
    return {
      around: async (request, next, sessions) => {
        const session = sessions.find(request);
        if (request.method !== 'GET' || !session) return next(request);
        if (used.has(session)) return rpcError(400, -32000, 'Bad Request: this session had its GET request');
        const response = await next(request);
        if (response.ok) used.add(session);
        return response;
      },
    };
  },
};
