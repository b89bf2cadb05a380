/** Where the tokens of one connection come from: a login, the app around the client, or nowhere. */
import type { Blocked } from './login.ts';

/** What there is to do after a refusal: try once more with this token, or what is the matter. */
export type Recovery = { readonly name: 'token'; readonly token: string } | Blocked;

export interface TokenSource {
  /** The token for the next request. */
  token(): Promise<string | undefined>;
  /** After a 401 or 403. Nothing, where neither a token nor a login would help. */
  recover(response: Response, used: string | undefined): Promise<Recovery | undefined>;
  /** The second try was refused too. */
  refusedAgain(response: Response, used: string): Promise<Blocked | undefined>;
}
