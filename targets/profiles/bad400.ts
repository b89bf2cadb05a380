/**
 * Says 400 where 404 is due: the SDK's own examples answered an unknown session so, and many servers copied them
 * (2025-11-25, "Session Management", 3; typescript-sdk #389, python-sdk #1727).
 */
import { rpcError } from '../core/messages.ts';
import type { Profile } from './profile.ts';

export const bad400: Profile = {
  name: 'bad-400',
  summary: 'returns 400 instead of 404 for an unknown session',
  options: () => ({
    refuseUnknown: async () => rpcError(400, -32000, 'Bad Request: No valid session ID provided'),
  }),
};
