/** What the connection is doing, for the app: the log's states and codes become the few that an app has to tell apart. Pure. */
import type { ConnectionState as LoggedState, Failure } from '../../log/state/connectionState.ts';
import { codeOf, type Reason } from '../../log/reasons/reason.ts';
import type { ConnectionState, FailureReason } from './stateTypes.ts';

/** The long sentences about failures are loaded when there is one. */
export interface FailureTexts {
  readonly why: (reason: Reason) => string;
  readonly fix: (failure: Failure) => string;
}

const FAILURES: Readonly<Record<string, FailureReason>> = {
  unreachable: 'unreachable',
  offline: 'unreachable',
  'no-answer': 'unreachable',
  'mixed-content': 'unreachable',
  'local-network': 'unreachable',
  'wrong-scheme': 'unreachable',
  unavailable: 'unreachable',
  'rate-limited': 'unreachable',
  'part-missing': 'unreachable',
  cors: 'cors',
  'session-id-hidden': 'cors',
  'session-blocked': 'cors',
  'not-mcp': 'not-mcp',
  redirected: 'not-mcp',
  'handshake-failed': 'not-mcp',
  'protocol-version': 'unsupported-version',
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'bridge-token': 'unauthorized',
  'scope-not-granted': 'unauthorized',
  'login-failed': 'login-failed',
  'no-pkce': 'login-failed',
  'metadata-unusable': 'login-failed',
  'metadata-rejected': 'login-failed',
  'metadata-elsewhere': 'login-failed',
};

const RECONNECTING: Readonly<Record<string, string>> = {
  'page-loaded': 'The page was reloaded.',
  'owner-tab-closed': 'The owner tab was closed.',
  'logged-in': 'Logged in.',
  offline: 'You’re offline.',
  held: 'The server still holds the previous stream.',
  'session-ended': 'The server ended the session.',
};
const LOGIN: Readonly<Record<string, string>> = {
  first: 'The server requires a login.',
  over: 'The login has expired.',
  scope: 'The server requires more scopes.',
};
const CONNECTION_LOST = 'The connection to the server was lost.';
const CLIENT_ID_REQUIRED = {
  name: 'failed',
  reason: 'client-id-required',
  why: 'The authorization server doesn’t support automatic client registration.',
  fix: 'Register your app there, and pass oauth.clientId or oauth.clientMetadataUrl.',
} as const;

/** Nothing, if its sentences have to be loaded first. */
export function publicStateOf(
  state: LoggedState,
  texts: FailureTexts | undefined,
): ConnectionState | undefined {
  switch (state.name) {
    case 'idle':
    case 'connecting':
      return { name: 'connecting' };
    case 'connected':
      return { name: 'connected', how: state.how, recovered: state.recovered ?? 0 };
    case 'reconnecting': {
      const { attempt, retryAt, reason } = state;
      return { name: 'reconnecting', attempt, retryAt, why: RECONNECTING[reason.code] ?? CONNECTION_LOST };
    }
    case 'authorizing': {
      if (state.ask === 'client') return CLIENT_ID_REQUIRED;
      const { reason } = state;
      const why = (reason.code === 'login-needed' && LOGIN[reason.how]) || 'The server requires a login.';
      return { name: 'needs-login', why };
    }
    case 'disconnected':
      return { name: 'disconnected', why: 'The app disconnected from the server.' };
    case 'failed':
      return (
        texts && {
          name: 'failed',
          reason: failureReason(state.reason),
          why: texts.why(state.reason),
          fix: texts.fix(state),
        }
      );
  }
}

/** The state that the last page has left is not this page's: a session that is to be resumed is not connected yet. */
export function restoredState(state: LoggedState, now: number): LoggedState {
  switch (state.name) {
    case 'connected':
    case 'reconnecting':
      return { name: 'reconnecting', attempt: 1, retryAt: now, reason: { code: 'page-loaded' } };
    case 'authorizing':
      return state;
    case 'idle':
    case 'connecting':
    case 'disconnected':
    case 'failed':
      return { name: 'connecting', url: '' };
  }
}

export function isSameState(a: ConnectionState, b: ConnectionState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What a call or a request waits for. */
export function isOnItsWay({ name }: ConnectionState): boolean {
  return name === 'connecting' || name === 'reconnecting';
}

function failureReason(reason: Reason): FailureReason {
  return FAILURES[codeOf(reason) ?? ''] ?? 'refused';
}

/** Recovered messages are counted one by one: that is no new state. */
export function isSameEvent(a: ConnectionState, b: ConnectionState): boolean {
  const uncounted = (state: ConnectionState) =>
    state.name === 'connected' ? { ...state, recovered: 0 } : state;
  return isSameState(uncounted(a), uncounted(b));
}
