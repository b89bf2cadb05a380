/** How one resumable stream of Streamable HTTP moves from state to state. Pure: `streams.ts` performs the effects. */
import type { End, Identity, Live, LiveStream, Policy, Role } from './stream.ts';
import type { Setbacks, Step, Stream, StreamEvent, Trouble, Via } from './stream.ts';
import { backoffMs, effectsBetween, effectsOf } from './streamEffects.ts';

type In<Name extends Stream['name']> = Extract<Stream, { name: Name }>;

const NO_SETBACKS: Setbacks = { failed: 0, refused: 0, silent: 0 };

export function next(before: Stream, event: StreamEvent, policy: Policy): Step {
  const stream = move(before, event, policy);
  return { stream, effects: effectsBetween(before, stream, policy) };
}

/** A new stream: its request is about to be sent, or the handshake is done. */
export function begin(id: string, role: Role, policy: Policy): Step {
  const stream = queue({ id, role }, role === 'standalone' ? 'plain' : 'post', NO_SETBACKS);
  return { stream, effects: effectsOf(stream, policy) };
}

export interface LeftStream extends Identity {
  readonly lastEventId: string | undefined;
  /** Had the server begun to answer the POST? */
  readonly wasAnswered: boolean;
}

/** A stream that an earlier page left open. */
export function restore({ lastEventId, wasAnswered, ...left }: LeftStream, policy: Policy): Step {
  let stream: Stream = queue({ ...left, lastEventId }, again(lastEventId), {
    ...NO_SETBACKS,
    trouble: { code: 'page-loaded' },
  });
  if (left.role !== 'standalone') {
    if (!policy.hasSession) stream = end(left, { how: 'unknown', reason: { code: 'no-session' } });
    else if (lastEventId === undefined) {
      stream = endWithoutId(
        left,
        { ...policy, ...(!wasAnswered && { sendsEventIds: undefined }) },
        'page-closed',
      );
    }
  }
  return { stream, effects: effectsOf(stream, policy) };
}

/** May it give its connection to another stream, and come back without loss? */
export function canYield(stream: Stream, { canResume }: Policy): boolean {
  return stream.name === 'open' && canResume && stream.role !== 'standalone' && !cannotReturn(stream);
}

export type Health = 'well' | 'in-trouble' | 'unproven';

const ANSWERED: ReadonlySet<Stream['name']> = new Set(['open', 'waiting']);

/**
 * The connection is as well as its worst stream. After a page load it is unproven until a stream is open; streams that
 * only wait for one of the browser's connections prove nothing.
 */
export function healthOf(streams: readonly Stream[]): Health {
  let isProven = false;
  let isAsking = false;
  for (const stream of streams) {
    if (stream.name === 'ended') continue;
    if (stream.name === 'queued' && stream.session === 'alive') {
      isProven = true;
      continue;
    }
    const code = stream.name === 'absent' ? undefined : stream.setbacks.trouble?.code;
    if (code !== undefined && code !== 'page-loaded') return 'in-trouble';
    if (code !== undefined) isAsking ||= stream.name !== 'queued';
    // A request that is under way proves nothing; a GET that was answered does.
    else isProven ||= stream.name === 'absent' || (stream.via !== 'post' && ANSWERED.has(stream.name));
  }
  return isProven && !isAsking ? 'well' : 'unproven';
}

function move(stream: Stream, event: StreamEvent, policy: Policy): Stream {
  if (stream.name === 'ended') return fromEnded(stream, event);
  switch (event.kind) {
    case 'response':
      return end(stream, { how: 'answered' });
    case 'cancelled':
      return end(stream, { how: 'cancelled' });
    case 'leaving':
      return end(stream, { how: 'left' });
    case 'session-gone':
      return end(stream, { how: 'lost', reason: { code: 'session-gone' } });
    default:
  }
  switch (stream.name) {
    case 'queued':
      return fromQueued(stream, event, policy);
    case 'opening':
      return fromOpening(stream, event, policy);
    case 'open':
      return fromOpen(stream, event, policy);
    case 'waiting':
      return fromWaiting(stream, event);
    case 'checking':
      return fromChecking(stream, event, policy);
    case 'unauthorized':
      return event.kind === 'authorized' ? queue(stream, stream.via, stream.setbacks) : stream;
    case 'absent':
      // Nothing else would notice that the server is gone. If it does not answer, a plain GET asks until it does.
      return event.kind === 'server-suspected' ? check(queue(stream, 'plain', NO_SETBACKS), 405) : stream;
  }
}

function fromQueued(stream: In<'queued'>, event: StreamEvent, policy: Policy): Stream {
  const isChecking = stream.session === 'checking';
  switch (event.kind) {
    case 'place-granted':
      return { ...queue(stream, stream.via, stream.setbacks), name: 'opening' };
    case 'timer':
      return { ...stream, session: 'checking' };
    case 'session-alive':
      return isChecking ? { ...stream, session: 'alive' } : stream;
    case 'session-unreachable':
      return isChecking ? wait(stream, policy, 'calm', { code: 'no-answer' }) : stream;
    default:
      return stream;
  }
}

function fromOpening(stream: In<'opening'>, event: StreamEvent, policy: Policy): Stream {
  const isPost = stream.via === 'post';
  const { failed, refused } = stream.setbacks;
  switch (event.kind) {
    case 'opened':
      return opened(stream);
    // A GET that nothing has answered yet may still be a stream: with the session alive it is taken for one.
    case 'timer':
      return isPost || stream.isLate ? stream : { ...stream, isLate: true };
    case 'session-alive':
      return stream.isLate ? opened(stream) : stream;
    case 'session-unreachable':
      return stream.isLate ? wait(stream, policy, 'calm', { code: 'no-answer' }) : stream;
    case 'closed':
      return fromOpen({ ...stream, name: 'open' }, event, policy);
    case 'unauthorized':
      if (isPost) return end(stream, { how: 'failed', reason: { code: 'unauthorized' } });
      return unauthorized(stream);
    case 'network-error':
      if (isPost) return end(stream, { how: 'unknown', reason: { code: 'no-answer' } });
      // A dead network, and a `Last-Event-ID` that CORS does not allow, look the same: only other requests can tell.
      if (refused > 0 || failed + 1 >= policy.failuresBeforeCheck) return check(stream, undefined);
      return wait(stream, policy, 'calm', noAnswer(event.detail));
    case 'refused':
      if (isPost)
        return end(stream, { how: 'failed', reason: { code: 'post-refused', status: event.status } });
      return refuse(stream, event.status, policy);
    default:
      return stream;
  }
}

function opened(stream: In<'opening'>): Stream {
  const { failed, silent } = stream.setbacks;
  return { ...queue(stream, stream.via, { failed, refused: 0, silent }), name: 'open' };
}

function refuse(stream: In<'opening' | 'open'>, status: number, policy: Policy): Stream {
  const isOften = stream.setbacks.failed + 1 >= policy.failuresBeforeCheck;
  // The server still holds the old connection. That it says so is a sign of health.
  if (status === 409) return wait(stream, policy, 'quick', isOften ? { code: 'held', status } : undefined);
  const isBusy = status === 429 || (status >= 502 && status <= 504 && !isOften);
  if (isBusy) return wait(stream, policy, 'calm', { code: 'unavailable', status });
  return !policy.hasSession && isNoStream(stream, status) ? absent(stream) : check(stream, status);
}

function fromOpen(stream: In<'open'>, event: StreamEvent, policy: Policy): Stream {
  const { role, retryMs, setbacks } = stream;
  switch (event.kind) {
    case 'received': {
      const eventId = policy.closeCancels ? undefined : event.eventId;
      const lastEventId = eventId ?? stream.lastEventId;
      return { ...stream, lastEventId, setbacks: event.isNew ? NO_SETBACKS : setbacks };
    }
    case 'retry':
      return { ...stream, retryMs: event.delayMs };
    case 'closed':
      if (cannotReturn(stream)) return endWithoutId(stream, policy);
      // A server may close a stream that has nothing to say as often as it likes: that is no trouble.
      return wait(stream, policy, retryMs === undefined ? 'calm' : 'quick');
    case 'network-error':
      if (cannotReturn(stream)) return endWithoutId(stream, policy);
      return wait(stream, policy, 'calm', { code: 'broken' });
    // Only of a stream that was taken for open before its response came.
    case 'refused':
      return stream.via === 'post' ? stream : refuse(stream, event.status, policy);
    case 'unauthorized':
      return stream.via === 'post' ? stream : unauthorized(stream);
    case 'oversized':
      // Its event ID was not read, so a resume would bring it again.
      if (role === 'standalone') return queue({ ...stream, lastEventId: undefined }, 'plain', setbacks);
      return end(stream, { how: 'lost', reason: { code: 'event-too-large', limitBytes: event.limitBytes } });
    case 'place-wanted':
      return canYield(stream, policy) ? queue(stream, 'resume', setbacks) : stream;
    case 'timer': {
      const silent = { ...setbacks, silent: setbacks.silent + 1 };
      if (event.awaitsUser) return { ...stream, setbacks: silent };
      return queue(stream, role === 'standalone' ? 'plain' : 'resume', silent);
    }
    default:
      return stream;
  }
}

function fromWaiting(stream: In<'waiting'>, event: StreamEvent): Stream {
  // MCP 2025-11-25, Streamable HTTP: the client MUST respect `retry`, also if the network is back early.
  const mayHurry = stream.setbacks.trouble !== undefined && stream.retryMs === undefined;
  const isDue = event.kind === 'timer' || (event.kind === 'network-back' && mayHurry);
  return isDue ? queue(stream, stream.via, stream.setbacks) : stream;
}

function fromChecking(stream: In<'checking'>, event: StreamEvent, policy: Policy): Stream {
  const { role, via, status, setbacks } = stream;
  if (event.kind === 'session-unreachable') return wait(stream, policy, 'calm', { code: 'no-answer' });
  if (event.kind !== 'session-alive') return stream;
  const refused = setbacks.refused + 1;
  if (!isNoStream(stream, status) && refused < policy.refusalsBeforeGivingUp) {
    const trouble: Trouble = status === undefined ? { code: 'no-answer' } : { code: 'refused', status };
    return wait({ ...stream, setbacks: { ...setbacks, refused } }, policy, 'calm', trouble);
  }
  if (via === 'plain') return absent(stream);
  // Without its event ID the stream can still be had: what was missed is gone, what comes is not.
  const anew = { ...setbacks, refused: 0 };
  if (role === 'standalone') return queue({ ...stream, lastEventId: undefined }, 'plain', anew);
  if (status === undefined) return end(stream, { how: 'lost', reason: { code: 'resume-blocked' } });
  return end(stream, { how: 'lost', reason: { code: 'resume-refused', status } });
}

function fromEnded(stream: In<'ended'>, event: StreamEvent): Stream {
  // MCP, Cancellation: a response after a cancellation SHOULD be ignored. After any other end it corrects a guess.
  const isGuess = stream.end.how === 'lost' || stream.end.how === 'unknown';
  return event.kind === 'response' && isGuess ? end(stream, { how: 'answered' }) : stream;
}

/** MCP 2025-11-25: 405 means that there is no stream at this endpoint. Some servers say it with 400 or 404. */
function isNoStream({ via }: Live, status: number | undefined): boolean {
  return status === 405 || status === 501 || (via === 'plain' && (status === 400 || status === 404));
}

const cannotReturn = ({ role, lastEventId }: Live) => role !== 'standalone' && lastEventId === undefined;
const again = (lastEventId: string | undefined): Via => (lastEventId === undefined ? 'plain' : 'resume');
const noAnswer = (detail?: string): Trouble => ({
  code: 'no-answer',
  ...(detail !== undefined && { detail }),
});
const unauthorized = (stream: LiveStream): Stream => ({
  ...queue(stream, stream.via, stream.setbacks),
  name: 'unauthorized',
});
const absent = ({ id, role }: Identity): Stream => ({ name: 'absent', id, role });
const end = ({ id, role }: Identity, how: End): Stream => ({ name: 'ended', id, role, end: how });

function endWithoutId(
  stream: Identity,
  { closeCancels, sendsEventIds }: Policy,
  code: 'no-event-id' | 'page-closed' = 'no-event-id',
): Stream {
  if (closeCancels) return end(stream, { how: 'lost', reason: { code: 'closed-is-cancelled' } });
  if (sendsEventIds === false) return end(stream, { how: 'lost', reason: { code: 'no-replay' } });
  return end(stream, { how: 'unknown', reason: { code } });
}

function queue(from: Identity & Partial<Live>, via: Via, setbacks: Setbacks): In<'queued'> {
  const { id, role, lastEventId, retryMs } = from;
  return { name: 'queued', id, role, via, lastEventId, retryMs, setbacks };
}

function check(stream: Live, status: number | undefined): Stream {
  return { ...queue(stream, stream.via, stream.setbacks), name: 'checking', status };
}

/** Without a `trouble` the wait is no news about the server: what was wrong before still is. */
function wait(stream: LiveStream, policy: Policy, pace: 'quick' | 'calm', trouble?: Trouble): Stream {
  const via = stream.name === 'open' ? again(stream.lastEventId) : stream.via;
  const setbacks = { ...stream.setbacks, failed: stream.setbacks.failed + 1, ...(trouble && { trouble }) };
  const delayMs = Math.max(stream.retryMs ?? 0, backoffMs(policy[pace], setbacks.failed));
  return { ...queue(stream, via, setbacks), name: 'waiting', delayMs };
}
