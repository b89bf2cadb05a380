/** Who may use a bridge: pages of this computer, with the token. */
import { timingSafeEqual } from 'node:crypto';
import { rpcError } from '../targets/core/messages.ts';
import type { Handler } from '../targets/core/options.ts';

/**
 * Requires the token, in the query of the URL. It is 403 and not 401: a page would take 401 for the server's, and log in.
 */
export function withToken(token: string, next: Handler): Handler {
  return async (request) => {
    const given = new URL(request.url).searchParams.get('token') ?? '';
    if (!isSame(given, token)) {
      return rpcError(
        403,
        -32000,
        'Forbidden: missing or wrong token. Use the link that the bridge printed.',
      );
    }
    return next(request);
  };
}

function isSame(given: string, token: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
