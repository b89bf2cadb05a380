/**
 * The old HTTP+SSE transport of 2024-11-05: one GET stream that names an address for POSTs, and a session that lives
 * and dies with it. At `/mcp`, and at `/sse`, where such servers mostly are.
 */
import { OldSseSessions } from '../oldSse.ts';
import type { Profile } from './profile.ts';

export const sse: Profile = {
  name: 'sse',
  summary: 'HTTP+SSE (deprecated): the session ends with its stream',
  options: () => ({}),
  service: (context) => {
    const sessions = new OldSseSessions(context);
    // A server that was brought up to date: from then on it is the target behind this one that answers.
    let isRetired = false;
    const retire = () => {
      isRetired = true;
      sessions.endAll();
    };
    const answer = async (request: Request) => (isRetired ? undefined : sessions.answer(request));
    return {
      guard: answer,
      fetch: answer,
      actions: {
        'drop-streams': () => sessions.dropStreams(),
        'expire-sessions': () => sessions.endAll(),
        reset: () => {
          isRetired = false;
          sessions.endAll();
        },
        'era-session': retire,
        'era-stateless': retire,
        'era-both': retire,
        announce: () => sessions.announce(),
        touch: () => sessions.touch(),
      },
    };
  },
};
