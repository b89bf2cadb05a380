/**
 * The reference: sessions with one event store each, a position in every stream from its first event on, replay of
 * exactly what was missed (2025-11-25, "Resumability and Redelivery"). Its sessions are in `core/session.ts`, its
 * requests in `core/sessions.ts`. It also has what the public conformance suite looks for.
 */
import { sessionFixtures } from '../conformance/fixtures.ts';
import type { Profile } from './profile.ts';

export const resumable: Profile = {
  name: 'resumable',
  summary: 'the reference server: replays exactly the missed events and the result',
  options: () => sessionFixtures,
};
