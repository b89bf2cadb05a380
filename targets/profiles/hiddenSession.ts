/**
 * Allows pages, but does not expose `Mcp-Session-Id`: the first POST works, the second has no session (Fetch standard,
 * `Access-Control-Expose-Headers`; typescript-sdk #764).
 */
import type { Profile } from './profile.ts';

export const hiddenSession: Profile = {
  name: 'hidden-session',
  summary: 'CORS without exposing Mcp-Session-Id: the page cannot read its session',
  cors: 'hidden-session',
  options: () => ({}),
};
