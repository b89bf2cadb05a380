/** Sends no CORS headers: no page can talk to it (Fetch standard, "CORS protocol"; typescript-sdk #713). */
import type { Profile } from './profile.ts';

export const noCors: Profile = {
  name: 'no-cors',
  summary: "sends no CORS headers, so browsers can't connect",
  cors: 'none',
  options: () => ({}),
};
