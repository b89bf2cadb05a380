/**
 * Keeps the session, gives no event ids. An event store is optional in every SDK, so this is the most common session
 * server; the call goes on, its result is out of reach (typescript-sdk: `eventStore` left out).
 */
import type { Profile } from './profile.ts';

export const noReplay: Profile = {
  name: 'no-replay',
  summary: "keeps the session but sends no event IDs, so calls can't be resumed",
  options: () => ({ createEventStore: null }),
};
