/** What can be wrong with a server: one cause for each thing to change in it. How binding each is, by the standard's words. */
import type { Level } from '../report/facts.ts';

interface Rank {
  readonly level: Level;
  /** Where the standard says so; none where it says nothing. */
  readonly clause?: string;
  /** The problem in one sentence, where the finding of one scenario says less or more. */
  readonly title?: string;
}

const HTTP = '2025-11-25, Streamable HTTP';
/** "The server SHOULD immediately send an SSE event consisting of an event ID and an empty data field". */
const SENDING = `${HTTP}: Sending Messages to the Server, 6`;
/** "The server MUST NOT replay messages that would have been delivered on a different stream". */
const RESUMABILITY = `${HTTP}: Resumability and Redelivery`;
/** "The server MAY terminate the session …, after which it MUST respond … with HTTP 404". */
const SESSIONS = `${HTTP}: Session Management`;
const CANCELLATION = '2026-07-28, Streamable HTTP: Cancellation';

const APPS = 'SEP-1865 (2026-01-26)';

const CAUSES = {
  cors: { level: 'must', clause: 'Fetch: CORS protocol' },
  /** It isn't wrong by itself: the run was asked to fail for it. */
  'interface-changed': { level: 'must', title: 'The interface differs from the snapshot.' },
  /** The control call itself fails, so nothing can be compared with it. */
  control: { level: 'must' },
  'no-event-ids': {
    level: 'should',
    clause: SENDING,
    title: "The server sends no event IDs, so an interrupted call can't be resumed.",
  },
  // The standard lets a server respond with JSON, and so a lost call breaks no rule.
  'json-response': {
    level: 'advice',
    title:
      "The server responds to calls with JSON instead of a stream, so an interrupted call can't be resumed.",
  },
  'no-priming': { level: 'should', clause: SENDING },
  'late-event-id': { level: 'should', clause: SENDING },
  'session-dropped': { level: 'should', clause: SENDING },
  'cancelled-by-disconnect': { level: 'should', clause: SENDING },
  'resume-refused': { level: 'should', clause: SENDING },
  'result-not-sent': { level: 'should', clause: SENDING },
  'events-lost': { level: 'should', clause: RESUMABILITY },
  'events-repeated': { level: 'should', clause: RESUMABILITY },
  'events-of-other-streams': { level: 'must', clause: RESUMABILITY },
  // "Progress notifications MUST only reference tokens that: Were provided in an active request".
  'wrong-progress-token': { level: 'must', clause: '2025-11-25, Progress: Behavior Requirements' },
  'out-of-order': { level: 'should', clause: RESUMABILITY },
  'stream-held': { level: 'advice' },
  'stream-stalls': { level: 'should', clause: RESUMABILITY },
  'question-lost': { level: 'should', clause: SENDING },
  'task-lost': { level: 'must', clause: 'Tasks: Result Retrieval' },
  'request-state-rejected': { level: 'should', clause: '2026-07-28, Multi Round-Trip Requests' },
  'cancels-too-much': { level: 'must', clause: CANCELLATION },
  'runs-twice': { level: 'advice' },
  'ended-session-status': { level: 'must', clause: SESSIONS },
  // A session ID is assigned with the InitializeResult; nothing says what else may carry one.
  'ended-session-new-id': { level: 'should', clause: SESSIONS },
  'unknown-event-id': { level: 'advice' },
  'other-session-readable': { level: 'must', clause: RESUMABILITY },
  'app-no-view': { level: 'must', clause: `${APPS}: Resource Discovery` },
  'app-not-initialized': { level: 'must', clause: `${APPS}: Lifecycle` },
  'app-blank': { level: 'advice' },
  // The text says nothing about reloads.
  'app-blank-after-reload': { level: 'advice' },
  'app-calls-again': { level: 'advice' },
  'app-undeclared': { level: 'should', clause: `${APPS}: Content Security Policy Enforcement` },
  'standalone-not-resumed': { level: 'should', clause: RESUMABILITY },
} as const satisfies Readonly<Record<string, Rank>>;

export type Cause = keyof typeof CAUSES;

export const CAUSE_NAMES = Object.keys(CAUSES) as [Cause, ...Cause[]];

export const rankOf = (cause: Cause): Rank => CAUSES[cause];
