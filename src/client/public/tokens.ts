/** Tokens that the app gives, and the want of any. Neither is stored, and neither asks for a login. */
import type { TokenSource } from '../../auth/tokenSource.ts';
import type { OpenOptions } from './openOptions.ts';

type Bearer = NonNullable<OpenOptions['bearer']>;

export const NO_TOKENS: TokenSource = {
  token: () => Promise.resolve(undefined),
  recover: () => Promise.resolve(undefined),
  refusedAgain: () => Promise.resolve(undefined),
};

export function bearerTokens(bearer: Bearer): TokenSource {
  return {
    token: async () => bearer(),
    async recover(response, used) {
      if (response.status !== 401) return undefined;
      const token = await bearer(used);
      return token === undefined || token === used ? undefined : { name: 'token', token };
    },
    refusedAgain: () => Promise.resolve(undefined),
  };
}
