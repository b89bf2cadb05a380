/** How often a server's connection was lost and came back, and what that cost: counted as a fold over its log. */
import type { CallName } from './call.ts';
import { shouldReconnect, type ConnectionState } from './connectionState.ts';
import type { Entry } from '../entry/entry.ts';
import { foldGivenUp, NOTHING_GIVEN_UP, type GivenUp } from './givenUp.ts';
import type { TransitionOf } from './transition.ts';
import { addTo, spreadOf, type Spread, type Tally } from './spread.ts';

/** What is stored in the state. Times are in milliseconds. */
export interface Recovery {
  /** The time of the first entry that was counted. */
  readonly since?: number;
  readonly resumes: number;
  readonly restarts: number;
  readonly recovered: number;
  readonly lost: number;
  readonly unknown: number;
  readonly blindMs: Tally;
  readonly returnMs: Tally;
  /** When the connection was lost, until it is back. */
  readonly lostAt?: number | undefined;
  /** When the request of a call was sent, until its first event ID. */
  readonly sentAt: Readonly<Record<string, number>>;
  /** With the session, since the page was last connected. */
  readonly givenUp?: GivenUp;
}

export const NO_RECOVERY: Recovery = {
  resumes: 0,
  restarts: 0,
  recovered: 0,
  lost: 0,
  unknown: 0,
  blindMs: {},
  returnMs: {},
  sentAt: {},
};

/** As `reprise.metrics()` gives them. */
export interface RecoveryFigures {
  /** Nothing before this was counted. */
  readonly since?: number;
  /** How often the page came back to a session that the server had kept. */
  readonly resumes: number;
  /** How often the server had ended the session, and a new one took its place. */
  readonly restarts: number;
  /** Missed events that a server has replayed. */
  readonly eventsRecovered: number;
  readonly callsLost: number;
  /** Calls whose outcome is unknown. */
  readonly callsUnknown: number;
  /** From the request of a call to its first event ID: a page that closes before can't resume the call. */
  readonly blindWindows: Spread;
  /** From the loss of the connection, or the begin of a reload, to the connection. */
  readonly timeToReturn: Spread;
}

/** What else the state knows of the moment. */
export interface Moment {
  readonly stateBefore: ConnectionState;
  /** The calls that ended with this entry. */
  readonly ended: readonly TransitionOf<'callEnded'>[];
}

export function foldRecovery(before: Recovery, entry: Entry, moment: Moment): Recovery {
  const since = withGivenUp(before.since === undefined ? { ...before, since: entry.at } : before, entry);
  const recovery = moment.ended.reduce(endCall, since);
  switch (entry.kind) {
    case 'load':
      return { ...recovery, lostAt: leftAt(recovery, entry, moment.stateBefore) };
    case 'state':
      return changeState(recovery, entry.state, entry.at);
    case 'sent':
      if (entry.callId === undefined || entry.callId !== entry.stream) return recovery;
      return { ...recovery, sentAt: { ...recovery.sentAt, [entry.callId]: entry.at } };
    case 'position':
      return identify(recovery, entry.stream, entry.at);
    case 'received': {
      const seen = entry.eventId === undefined ? recovery : identify(recovery, entry.stream, entry.at);
      return entry.replayed ? { ...seen, recovered: seen.recovered + 1 } : seen;
    }
    default:
      return recovery;
  }
}

export function figuresOf(recovery: Recovery): RecoveryFigures {
  const { since, resumes, restarts, recovered, lost, unknown, blindMs, returnMs } = recovery;
  return {
    ...(since !== undefined && { since }),
    resumes,
    restarts,
    eventsRecovered: recovered,
    callsLost: lost,
    callsUnknown: unknown,
    blindWindows: spreadOf(blindMs),
    timeToReturn: spreadOf(returnMs),
  };
}

function withGivenUp(recovery: Recovery, entry: Entry): Recovery {
  const { givenUp: before = NOTHING_GIVEN_UP } = recovery;
  const givenUp = foldGivenUp(before, entry);
  return givenUp === before ? recovery : { ...recovery, givenUp };
}

/** Only of a reload is it known when the page before was left; the time of a closed tab is nobody's wait. */
function leftAt(
  { lostAt }: Recovery,
  { at, pageLeftAt }: Entry & { kind: 'load' },
  stateBefore: ConnectionState,
): number | undefined {
  if (!shouldReconnect(stateBefore)) return undefined;
  return pageLeftAt === undefined ? at : (lostAt ?? pageLeftAt);
}

function changeState(recovery: Recovery, state: ConnectionState, at: number): Recovery {
  const { lostAt, returnMs } = recovery;
  if (state.name === 'reconnecting') return lostAt === undefined ? { ...recovery, lostAt: at } : recovery;
  if (state.name !== 'connected' || state.how === 'fresh') return { ...recovery, lostAt: undefined };
  const which = state.how === 'resumed' ? 'resumes' : 'restarts';
  return {
    ...recovery,
    [which]: recovery[which] + 1,
    returnMs: lostAt === undefined ? returnMs : addTo(returnMs, at - lostAt),
    lostAt: undefined,
  };
}

/** The first event ID of a call: from here on the call can be resumed. */
function identify(recovery: Recovery, stream: string, at: number): Recovery {
  const { [stream]: sentAt, ...others } = recovery.sentAt;
  if (sentAt === undefined) return recovery;
  return { ...recovery, blindMs: addTo(recovery.blindMs, at - sentAt), sentAt: others };
}

/** A result that arrives late takes back that its call was lost. */
function endCall(recovery: Recovery, { call, was }: TransitionOf<'callEnded'>): Recovery {
  const change = (name: CallName) => Number(call.name === name) - Number(was === name);
  const { [call.id]: _, ...others } = recovery.sentAt;
  return {
    ...recovery,
    lost: recovery.lost + change('lost'),
    unknown: recovery.unknown + change('unknown'),
    sentAt: others,
  };
}
