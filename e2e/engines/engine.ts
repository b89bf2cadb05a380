/** What a run needs of a browser, whichever protocol it is driven by: tabs of one profile, and ways to lose them. */
export interface Engine {
  readonly name: string;
  readonly version: string;
  /** Errors and warnings in the console of all tabs so far, and errors that nothing caught. */
  readonly console: readonly string[];
  /** Opens a tab. */
  open(url: string): Promise<Tab>;
  /** Ends the browser by SIGKILL. Its profile can be opened again. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Tab {
  goto(url: string): Promise<void>;
  /** Resolves when the document is parsed. */
  reload(): Promise<void>;
  /** Resolves when the reload has begun: another one may follow. */
  reloadAtOnce(): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  /** Runs the body of an async function in the page. */
  run<T>(body: string): Promise<T>;
  /** Ends the process of the page. `undefined` where the engine has no way to do it. */
  readonly crash: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

/** `profile`: a folder that outlives the browser. It may be used by one browser at a time. */
export type StartEngine = (profile: string) => Promise<Engine>;

/** It is not installed; the message says what to install. */
export class Missing extends Error {
  override readonly name = 'Missing';
}
