/** What each state of a stream asks for when it is entered, and gives back when it is left. Pure. */
import type { Rank } from '../../wire/connectionBudget.ts';
import type { Backoff, Effect, Live, Policy, Stream } from './stream.ts';

/** What a state holds of a connection: nothing, a place in the queue, a request under way, a body that is read. */
const HELD: Record<Stream['name'], number> = {
  ...{ waiting: 0, checking: 0, unauthorized: 0, absent: 0, ended: 0 },
  ...{ queued: 1, opening: 2, open: 3 },
};

export function effectsBetween(before: Stream, after: Stream, policy: Policy): readonly Effect[] {
  if (after === before) return [];
  const entered = effectsOf(after, policy);
  return HELD[after.name] < HELD[before.name] ? [{ kind: 'release' }, ...entered] : entered;
}

export function effectsOf(stream: Stream, policy: Policy): readonly Effect[] {
  const { deafAfterMs, lateAfterMs, queuedAfterMs, silence } = policy;
  switch (stream.name) {
    case 'queued':
      if (stream.session) return stream.session === 'checking' ? [{ kind: 'checkSession' }] : [];
      return [
        { kind: 'askForPlace', rank: rankOf(stream) },
        // Those of other servers of the origin may hold all connections as long as the page lives.
        ...(stream.role === 'standalone' ? [{ kind: 'startTimer', delayMs: queuedAfterMs } as const] : []),
      ];
    case 'opening':
      if (stream.via === 'post') return [{ kind: 'post' }];
      if (stream.isLate) return [{ kind: 'checkSession' }];
      return [
        { kind: 'get', lastEventId: stream.via === 'resume' ? stream.lastEventId : undefined },
        { kind: 'startTimer', delayMs: lateAfterMs },
      ];
    case 'open': {
      // The stream of a POST and a plain GET may be silent as long as they like; a resumed one may be forgotten.
      if (stream.via !== 'resume') return [];
      const silenceMs = backoffMs(silence, stream.setbacks.silent + 1);
      return [{ kind: 'startTimer', delayMs: stream.role === 'standalone' ? deafAfterMs : silenceMs }];
    }
    case 'waiting':
      return [{ kind: 'startTimer', delayMs: stream.delayMs }];
    case 'checking':
      return [{ kind: 'checkSession' }];
    case 'unauthorized':
      return [{ kind: 'awaitLogin' }];
    case 'absent':
      return [];
    case 'ended': {
      const { end, role } = stream;
      if (role === 'standalone' || end.how === 'left') return [];
      const isNoAnswer = 'reason' in end && end.reason.code === 'no-answer';
      return [{ kind: 'declare', end }, ...(isNoAnswer ? [{ kind: 'suspectServer' } as const] : [])];
    }
  }
}

/** Doubles from `firstMs` to `capMs`. Jitter only adds to it: `retry` is a minimum. */
export function backoffMs({ firstMs, capMs }: Backoff, attempt: number): number {
  return Math.min(capMs, firstMs * 2 ** (attempt - 1));
}

function rankOf({ via, role }: Live): Rank {
  if (via === 'post') return 'post';
  return role === 'standalone' ? 'standalone' : 'stream';
}
