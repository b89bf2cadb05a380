/** `mcp-reprise verify` with its options, as data. */
import type { BrowserName } from '../page/browserName.ts';
import type { VerifyOptions } from '../verify.ts';

export interface Output {
  /** `true`: to standard output. */
  readonly json?: string | true;
  readonly junit?: string | true;
  readonly html?: string;
  readonly badge?: string;
}

export interface StdioCommand {
  /** As it is typed in a shell. */
  readonly command: string;
  /** Names of variables that are passed to it. */
  readonly env: readonly string[];
}

export interface VerifyCommand {
  readonly name: 'verify';
  /** What every target shares; a file of targets may lay its own over it. */
  readonly base: Omit<VerifyOptions, 'url'>;
  readonly url?: string;
  /** Instead of a URL: it is tested through a bridge. */
  readonly stdio?: StdioCommand;
  /** A shell command that starts the server of `url`. */
  readonly start?: string;
  readonly targets?: string;
  readonly shard?: { readonly index: number; readonly total: number };
  /** Every server is verified twice, once for each way of the protocol. */
  readonly isBoth?: boolean;
  /** A page of this origin: the app is served on its port. */
  readonly port?: number;
  readonly browser: BrowserName;
  readonly headed: boolean;
  readonly isQuiet?: boolean;
  /** A file. */
  readonly expectedFailures?: string;
  readonly endpoint?: string;
  /** A folder with a browser in which the page is logged in. */
  readonly profile?: string;
  /** A file of saved calls that are run instead of the scenarios. */
  readonly calls?: { readonly path: string; readonly updates: boolean };
  /** The report of an earlier run. */
  readonly compare?: string;
  readonly output: Output;
  /** For the user, on standard error. */
  readonly warnings: readonly string[];
}
