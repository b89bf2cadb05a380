/** What a run needs of a browser, whichever protocol it is driven by. */
export interface Engine {
  readonly name: string;
  readonly version: string;
  goto(url: string): Promise<void>;
  /** Resolves when the document is parsed. */
  reload(): Promise<void>;
  /** Runs the body of an async function in the page. */
  run<T>(body: string): Promise<T>;
  /** Errors and warnings of the console so far, where the protocol tells them. */
  readonly console: readonly string[] | undefined;
  close(): Promise<void>;
}

/** It is not installed. */
export class Missing extends Error {
  override readonly name = 'Missing';
}
