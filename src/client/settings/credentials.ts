/** What is sent to a server so that it lets the page in. */
import type { KnownClient } from '../../auth/knownClient.ts';

export interface Credentials extends KnownClient {
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
