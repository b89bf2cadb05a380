/**
 * Pings the client and ends the session when one ping stays unanswered (2025-11-25, "Ping": a sender MAY consider the
 * connection stale; @playwright/mcp does). A ping that is lost in a reload costs the session.
 */
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { TargetOptions } from '../core/options.ts';
import type { Profile } from './profile.ts';

export const PING_EVERY_MS = 2000;
export const ANSWER_WITHIN_MS = 3000;

/** Options of a server that waits so long for the answer to a ping. */
export const pingWithin = (answerWithinMs: number): Partial<TargetOptions> => ({
  onSession: (session) => {
    const ping = async () => {
      try {
        await session.server.server.request({ method: 'ping' }, EmptyResultSchema, {
          timeout: answerWithinMs,
        });
      } catch {
        await session.close('ping unanswered');
      }
    };
    const timer = setInterval(() => void ping(), PING_EVERY_MS);
    return () => clearInterval(timer);
  },
});

export const pings: Profile = {
  name: 'pings',
  summary: `pings every ${PING_EVERY_MS / 1000} s and ends the session after ${ANSWER_WITHIN_MS / 1000} s without a response`,
  options: () => pingWithin(ANSWER_WITHIN_MS),
};
