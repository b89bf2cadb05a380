/** What a trial needs of a browser, whichever engine it is and whatever drives it. */

export type BrowserName = 'chromium' | 'firefox' | 'webkit';

export interface Tab {
  /** Resolves when the new document is there, or later. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a function in the page. It is sent as text, so it sees nothing but what it's given. */
  run<T, Given>(work: (given: Given) => T | Promise<T>, given: Given): Promise<T>;
  close(): Promise<void>;
  /** Ends the process of the page. */
  crash?(): Promise<void>;
  /** Until the returned function is called, as with the next one. */
  freeze?(): Promise<() => Promise<void>>;
  /** The origin of the page can store no more. */
  fillStorage?(): Promise<() => Promise<void>>;
  /** Runs a function in this document and in each later one, before its own scripts. */
  runAlways?<Given>(work: (given: Given) => void, given: Given): Promise<void>;
}

/** One profile of a browser, for one trial. */
export interface Seat {
  /** Errors in its pages that nothing caught, so far. */
  readonly pageErrors: readonly string[];
  open(): Promise<Tab>;
  /** Ends the browser with SIGKILL, and starts it on the same profile. */
  kill?(): Promise<void>;
  setOffline?(isOffline: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The browsers of a worker: one for nearly all trials, where an engine can keep them apart. */
export interface Browsers {
  readonly version: string;
  readonly isConnected: boolean;
  seat(options: { readonly isKilled: boolean }): Promise<Seat>;
  close(): Promise<void>;
}
