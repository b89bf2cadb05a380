/**
 * Keeps sessions, has no standalone stream, and says so with 404 or 400 where 405 is due (2025-11-25, "Listening for
 * Messages from the Server", 3; three frameworks). 404 is also how a session ends, so a client has to ask which it was.
 * `overrides: { stateless: true }` makes it a server without sessions, as some of them are.
 */
import { rpcError } from '../core/messages.ts';
import type { Profile } from './profile.ts';

const refusingGet = (refuse: () => Response): Profile['options'] => {
  return () => ({
    // Where nothing can be resumed, there are no event IDs either.
    createEventStore: null,
    around: async (request, next) => (request.method === 'GET' ? refuse() : next(request)),
  });
};

export const get404: Profile = {
  name: 'get-404',
  summary: 'has no standalone stream, and returns 404 instead of 405 to GET',
  options: refusingGet(() => new Response('Not Found', { status: 404 })),
};

export const get400: Profile = {
  name: 'get-400',
  summary: 'has no standalone stream, and returns 400 instead of 405 to GET',
  options: refusingGet(() => rpcError(400, -32000, 'Bad Request: POST is required')),
};
