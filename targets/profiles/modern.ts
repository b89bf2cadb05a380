/**
 * The reference for 2026-07-28: no sessions and no replay. Questions end a request and are answered by the next one
 * ("Multi Round-Trip Requests"); closing a stream cancels. It also has what the public conformance suite looks for.
 */
import { statelessFixtures } from '../conformance/fixtures.ts';
import { MODERN_TOOLS } from '../core/tools.ts';
import type { Profile } from './profile.ts';

export const modern: Profile = {
  name: 'modern',
  summary: 'stateless 2026-07-28: input_required results; a reload cancels calls',
  options: () => ({
    ...statelessFixtures,
    era: 'stateless',
    extraTools: [...MODERN_TOOLS, ...(statelessFixtures.extraTools ?? [])],
  }),
};
