/**
 * Answers with JSON and has no standalone stream: nothing comes of a call before its answer, not even the head of the
 * response (2025-11-25, "Sending Messages to the Server", 5). It looks like a server that is gone.
 */
import { rpcError } from '../core/messages.ts';
import { json } from './json.ts';
import type { Profile } from './profile.ts';

export const silentJson: Profile = {
  name: 'silent-json',
  summary: 'responds with plain JSON and has no GET stream: sends nothing until a call ends',
  options: () => ({
    ...json.options(),
    around: async (request, next) =>
      request.method === 'GET'
        ? rpcError(405, -32000, 'Method not allowed', { allow: 'POST, DELETE' })
        : next(request),
  }),
};
