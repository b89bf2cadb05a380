/** A login that was begun and waits for its response. */
import type { ReasonOf } from '../log/reasons/reason.ts';
import { isSentTo } from './redirectUrl.ts';

export interface PendingLogin {
  readonly state: string;
  readonly verifier: string;
  readonly startedAt: number;
  /** Where the response has to come to. Logins of earlier versions have none. */
  readonly redirectUrl?: string;
}

const MAX_LOGIN_MS = 15 * 60_000;

/** Why a response is not taken; `undefined`: it is. Asked before its code is sent anywhere. */
export function whyNotTaken(
  login: PendingLogin | undefined,
  response: URLSearchParams,
  now: number,
): ReasonOf<'login-failed'> | undefined {
  if (!login || login.state !== response.get('state')) {
    return { code: 'login-failed', how: 'not-begun' };
  }
  if (now - login.startedAt > MAX_LOGIN_MS) {
    return { code: 'login-failed', how: 'too-late' };
  }
  if (login.redirectUrl === undefined || isSentTo(login.redirectUrl, response)) return undefined;
  // A mix-up attack (RFC 9700): the code must not be sent anywhere.
  return { code: 'login-failed', how: 'mix-up' };
}
