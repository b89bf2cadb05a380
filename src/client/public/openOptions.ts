/** What an app gives to `openClient`. Types only. */
import type { Implementation, Root } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { OAuthOptions } from './loginTypes.ts';
import type { Store } from './storeTypes.ts';

export interface OpenOptions {
  /** The MCP endpoint. `http:` or `https:`. */
  readonly url: string;
  /** Sent to the server in `initialize`, and used to register with an authorization server. */
  readonly clientInfo: Implementation;
  /** Where everything is kept that must survive the page. */
  readonly store: Store;
  /** Tells two accounts at the same URL apart. Default: the URL. */
  readonly name?: string | undefined;
  /** Sent with every request to the server. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns the bearer token for a request. After a 401 it is called once more, with the token that was refused. */
  readonly bearer?: ((refused?: string) => string | Promise<string>) | undefined;
  /** Turns on OAuth. `{}` is enough for servers with dynamic registration. Ignored if `bearer` is given. */
  readonly oauth?: OAuthOptions | undefined;
  /** The questions your app can show. Declared to the server as capabilities; nothing else is asked. Default: none. */
  readonly questions?: readonly ('elicitation' | 'sampling')[] | undefined;
  /** Declared to the server, and its answer to `roots/list`. */
  readonly roots?: readonly Root[] | undefined;
  /** How much to keep. The oldest finished calls go first; nothing that an open call needs is ever dropped. */
  readonly keep?: KeepOptions | undefined;
  /** Which revision of MCP to speak. Default `'auto'`. */
  readonly revision?: 'auto' | 'session' | 'stateless' | undefined;
  /** For tests and proxies. Default: `globalThis.fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** For tests. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

export interface KeepOptions {
  /** Finished calls. Default 50. */
  readonly calls?: number | undefined;
  /** Log entries. Default 10,000. */
  readonly entries?: number | undefined;
  /** Bytes. Default 8 MB. */
  readonly bytes?: number | undefined;
}
