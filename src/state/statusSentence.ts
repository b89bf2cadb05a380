/** What the connection is doing, as one sentence. */
import { assertNever } from '../base/assertNever.ts';
import { hideUrlKeys } from '../base/urlKeys.ts';
import { plural, duration } from '../base/format.ts';
import { shouldReconnect, type ConnectionState } from '../log/state/connectionState.ts';
import { codeOf, type Reason } from '../log/reasons/reason.ts';
import { reasonText } from '../log/reasons/reasonText.ts';
import { costText, fixText } from '../log/reasons/stateText.ts';
import { bridgeUrlCommand } from './bridgeCommand.ts';

export type Tone = 'neutral' | 'busy' | 'good' | 'look' | 'bad';

export interface Status {
  readonly tone: Tone;
  readonly sentence: string;
  /** Where a part of the sentence changes every second: what stands around it does not. */
  readonly countdown?: { readonly before: string; readonly left: string; readonly after: string };
  /** What to do about it. */
  readonly fix?: string;
  /** What to put into the server, as it stands. */
  readonly paste?: string;
  /** The command that brings the server within the page's reach as it is. */
  readonly bridge?: string;
  /** The session of an earlier page load goes on. */
  readonly isResumed?: true;
  /** A bar below the header has the whole sentence. */
  readonly isToldBelow?: true;
  /** A bearer token would help. */
  readonly needsToken?: true;
}

export interface StatusFacts {
  readonly state: ConnectionState;
  readonly url: string;
  readonly role: 'undecided' | 'leads' | 'follows';
  readonly now: number;
  /** Has this server ever named a position that can be resumed from? */
  readonly namesPositions: boolean;
  /** Calls of earlier page loads that this one could not go on with. */
  readonly unfollowed: number;
  /** Over the old HTTP+SSE transport. */
  readonly isOldSse?: boolean;
  /** Tasks of earlier page loads that this one goes on with. */
  readonly tasks?: number;
}

const OTHER_TAB = 'Another tab owns this connection.';

/** What keeps a page from a server, and not a program on the same computer. */
const BRIDGED: ReadonlySet<string> = new Set(['cors', 'session-id-hidden', 'mixed-content', 'local-network']);

export const NO_SERVER: Status = { tone: 'neutral', sentence: 'Not connected' };

export function describeStatus(facts: StatusFacts): Status {
  const { state, role, url } = facts;
  // What the last page has stored is not what this one has.
  if (role === 'undecided' && shouldReconnect(state)) {
    return { tone: 'busy', sentence: `Reconnecting to ${hostOf(url)}…` };
  }
  const status = describeState(state, facts);
  if (role !== 'follows') return status;
  const { sentence, countdown } = status;
  return {
    ...status,
    sentence: withOtherTab(sentence),
    ...(countdown && { countdown: { ...countdown, after: withOtherTab(countdown.after) } }),
  };
}

/** A fragment gets its full stop when a sentence follows. */
function withOtherTab(sentence: string): string {
  return `${/[.…]$/.test(sentence) ? sentence : `${sentence}.`} ${OTHER_TAB}`;
}

/** Who disconnected needn't be told so. */
function disconnectedSentence(reason: Reason): string {
  return codeOf(reason) === 'user-disconnected' ? 'Disconnected' : `Disconnected. ${reasonText(reason)}`;
}

function describeState(state: ConnectionState, facts: StatusFacts): Status {
  switch (state.name) {
    case 'idle':
      return NO_SERVER;
    case 'connecting':
      return { tone: 'busy', sentence: `Connecting to ${hostOf(state.url)}…` };
    case 'authorizing':
      return { tone: 'look', sentence: `Login needed. ${reasonText(state.reason)}`, isToldBelow: true };
    case 'connected':
      return describeConnected(state, facts);
    case 'reconnecting':
      return describeReconnecting(state, facts.now);
    case 'disconnected':
      return { tone: 'neutral', sentence: disconnectedSentence(state.reason) };
    case 'failed':
      return {
        tone: 'bad',
        sentence: `Can’t connect. ${reasonText(state.reason)}`,
        fix: fixText(state),
        ...(state.paste !== undefined && { paste: state.paste }),
        ...(codeOf(state.reason) === 'unauthorized' && { needsToken: true }),
        ...(BRIDGED.has(codeOf(state.reason) ?? '') && { bridge: bridgeUrlCommand(hideUrlKeys(facts.url)) }),
      };
    default:
      return assertNever(state);
  }
}

function describeConnected(state: ConnectionState & { name: 'connected' }, facts: StatusFacts): Status {
  switch (state.how) {
    case 'fresh':
      return {
        tone: 'good',
        sentence: `Connected${facts.isOldSse ? ' over HTTP+SSE (deprecated)' : ''}`,
      };
    case 'resumed':
      return {
        tone: 'good',
        sentence: ['Reconnected.', costText(state) ?? whatCameBack(state.recovered ?? 0, facts)]
          .join(' ')
          .trim(),
        isResumed: true,
      };
    case 'restarted':
      return {
        tone: 'good',
        sentence: costText(state) ?? 'Server restarted. New session started.',
      };
    default:
      return assertNever(state.how);
  }
}

function whatCameBack(recovered: number, { unfollowed, namesPositions, tasks = 0 }: StatusFacts): string {
  const sentences = [
    ...(tasks > 0 ? [`${plural(tasks, 'task')} resumed.`] : []),
    ...(recovered > 0 ? [`Recovered ${plural(recovered, 'missed event')}.`] : []),
    ...(unfollowed > 0 ? [`${plural(unfollowed, 'call')} couldn’t be resumed.`] : []),
  ];
  if (sentences.length > 0) return sentences.join(' ');
  // That nothing came is no proof that nothing was missed: the streams of some servers stay silent after a resume.
  return namesPositions ? '' : 'This server can’t replay missed events.';
}

function describeReconnecting(
  { attempt, retryAt, reason }: ConnectionState & { name: 'reconnecting' },
  now: number,
): Status {
  const leftMs = retryAt - now;
  const isWaiting = leftMs > 0;
  // The first attempt is counted only while it's still to come.
  const number = attempt > 1 || isWaiting ? ` (attempt ${attempt})` : '';
  const countdown = {
    before: 'Reconnecting',
    left: isWaiting ? ` in ${secondsLeft(leftMs)}` : '',
    after: `${number}. ${reasonText(reason)}`,
  };
  return { tone: 'look', sentence: Object.values(countdown).join(''), countdown };
}

function secondsLeft(leftMs: number): string {
  return duration(leftMs < 1000 ? leftMs : Math.ceil(leftMs / 1000) * 1000).replace('.0 s', ' s');
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
