/** A refused request gets one second try with a new token, before anybody else hears of the refusal. */
import type { Fetch } from '../wire/recordingFetch.ts';
import type { TokenSource } from './tokenSource.ts';

export function createAuthFetch(
  fetch: Fetch,
  authorizer: Pick<TokenSource, 'recover' | 'refusedAgain'>,
): Fetch {
  return async (url, init = {}) => {
    const response = await fetch(url, init);
    if (response.status !== 401 && response.status !== 403) return response;
    const headers = new Headers(init.headers);
    const used = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    const token = await authorizer.recover(response, used);
    if (token === undefined) return response;
    headers.set('authorization', `Bearer ${token}`);
    const second = await fetch(url, { ...init, headers });
    if (second.status === 401) await authorizer.refusedAgain(second, token);
    return second;
  };
}
