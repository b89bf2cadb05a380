/** When a server was last connected, and what went wrong last: a fold over the states of its connection. */
import type { ConnectionState } from './connectionState.ts';
import { codeOf } from '../reasons/reason.ts';

/** `reason`: the code of what went wrong. */
export interface ConnectionError {
  readonly at: number;
  readonly state: 'failed' | 'reconnecting';
  readonly reason?: string;
}

export interface LastConnection {
  readonly lastConnectedAt?: number;
  readonly lastError?: ConnectionError;
}

/** Reconnecting for one of these is part of every reload, or what the user wanted. */
const EXPECTED: ReadonlySet<string> = new Set([
  'page-loaded',
  'owner-tab-closed',
  'logged-in',
  'login-skipped',
  'credentials-entered',
]);

export function foldLastConnection(
  before: LastConnection,
  state: ConnectionState,
  at: number,
): LastConnection {
  switch (state.name) {
    case 'connected':
      return { ...before, lastConnectedAt: at };
    case 'failed':
    case 'reconnecting': {
      const code = codeOf(state.reason);
      if (code !== undefined && EXPECTED.has(code)) return before;
      return { ...before, lastError: { at, state: state.name, ...(code !== undefined && { reason: code }) } };
    }
    case 'idle':
    case 'connecting':
    case 'authorizing':
    case 'disconnected':
      return before;
  }
}
