/**
 * Allows pages, but does not expose `Mcp-Session-Id`: the first POST works, the second has no session (Fetch standard,
 * `Access-Control-Expose-Headers`; typescript-sdk #764).
 */
import type { Profile } from './profile.ts';

export const hiddenSession: Profile = {
  name: 'hidden-session',
  summary: "CORS doesn't expose Mcp-Session-Id, so a page can't read its session ID",
  cors: 'hidden-session',
  options: () => ({}),
};
