/**
 * Notices late that a client is gone: every GET gets 409 for a while after a stream was cut (typescript-sdk #1726,
 * #2543; a Ruby server held it for 44 s). Behind a proxy that keeps connections this is ordinary.
 */
import { rpcError } from '../core/messages.ts';
import type { TargetOptions } from '../core/options.ts';
import type { Session } from '../core/session.ts';
import type { Profile } from './profile.ts';

export const HOLD_MS = 3000;

const held = () => rpcError(409, -32000, 'Conflict: Stream already has an active connection');

export const slow409: Profile = {
  name: 'slow-409',
  summary: `returns 409 to every GET for ${HOLD_MS / 1000} s after a disconnect`,
  options: () => {
    const heldUntil = new WeakMap<Session, number>();
    return {
      onStreamEnd: (session, how) => {
        if (how !== 'ended') heldUntil.set(session, Date.now() + HOLD_MS);
      },
      around: async (request, next, sessions) => {
        const session = sessions.find(request);
        const isHeld = session !== undefined && (heldUntil.get(session) ?? 0) > Date.now();
        return request.method === 'GET' && isHeld ? held() : next(request);
      },
    };
  },
};

/** As `slow-409`, but the time begins with the first GET after that, however long a busy client takes to send it. */
export function holdFromNextGet(): Partial<TargetOptions> {
  const left = new WeakSet<Session>();
  const heldUntil = new WeakMap<Session, number>();
  return {
    onStreamEnd: (session, how) => void (how !== 'ended' && left.add(session)),
    around: async (request, next, sessions) => {
      const session = sessions.find(request);
      if (request.method !== 'GET' || !session) return next(request);
      if (left.delete(session)) heldUntil.set(session, Date.now() + HOLD_MS);
      return (heldUntil.get(session) ?? 0) > Date.now() ? held() : next(request);
    },
  };
}
