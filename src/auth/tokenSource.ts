/** Where the token of a request comes from: a login, the app around the client, or nowhere. */
import type { Blocked } from './login.ts';

export interface TokenSource {
  /** Set by the last refusal that a token could not cure. */
  blocked: Blocked | undefined;
  /** The token for the next request. */
  token(): Promise<string | undefined>;
  /** After a 401 or 403: a token that is worth a second try, if there is one. */
  recover(response: Response, used: string | undefined): Promise<string | undefined>;
  /** The second try was refused too. */
  refusedAgain(response: Response, used: string): Promise<void>;
}
