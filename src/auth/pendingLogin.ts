/** A login that was begun and waits for its response. */
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
): string | undefined {
  if (!login || login.state !== response.get('state')) {
    return 'This login was not begun here, or was finished before. It was ignored.';
  }
  if (now - login.startedAt > MAX_LOGIN_MS) {
    return 'This login was started more than 15 minutes ago, so its response was ignored. Log in again.';
  }
  if (login.redirectUrl === undefined || isSentTo(login.redirectUrl, response)) return undefined;
  return 'The response came to the redirect URL of another authorization server (mix-up attack, RFC 9700), so its code was not sent. Check where you logged in.';
}
