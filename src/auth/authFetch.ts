/** A refused request gets one second try with a new token, before anybody else hears of the refusal. */
import type { Fetch } from '../wire/recordingFetch.ts';
import type { Blocked } from './login.ts';
import type { TokenSource } from './tokenSource.ts';

/** @param onRefused what the refusal of a request has led to, where a token could not help */
export function createAuthFetch(
  fetch: Fetch,
  authorizer: Pick<TokenSource, 'recover' | 'refusedAgain'>,
  onRefused: (blocked: Blocked | undefined) => void,
): Fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    if (response.status !== 401 && response.status !== 403) return response;
    const headers = new Headers(init.headers);
    const used = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const recovery = await authorizer.recover(response, used);
    if (recovery?.name !== 'token') {
      onRefused(recovery);
      return response;
    }
    const { token } = recovery;
    headers.set('authorization', `Bearer ${token}`);
    const second = await fetch(url, { ...init, headers });
    if (second.status === 401) onRefused(await authorizer.refusedAgain(second, token));
    return second;
  };
}
