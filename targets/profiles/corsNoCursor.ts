/**
 * CORS allows every header but `Last-Event-ID`: a page can do all except resume (Cloudflare's agents; Fetch standard,
 * `Access-Control-Allow-Headers`). The preflight fails, so the page is told of a network error.
 */
import type { Profile } from './profile.ts';

export const corsNoCursor: Profile = {
  name: 'cors-no-cursor',
  summary: "CORS allows every header except Last-Event-ID, so a page can't resume",
  cors: 'no-cursor',
  options: () => ({}),
};
