/** No session id: each request stands alone (2025-11-25, "Session Management", 1: a server MAY assign a session id). */
import type { Profile } from './profile.ts';

export const stateless: Profile = {
  name: 'stateless',
  summary: 'no sessions; GET returns 405',
  options: () => ({ stateless: true }),
};
