/** What the comparison does with an inspector: the same steps in each, through its own screen. */
import type { Page } from '@playwright/test';

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Starts what serves its page for this server, and returns the address of the page. */
  start(serverUrl: string): Promise<Started>;
  /** Resolves when the first screen can be used. */
  firstScreen(page: Page): Promise<void>;
  /** What a user does to connect, up to the last click. The tools are waited for by `toolShown`. */
  connect(page: Page, serverUrl: string): Promise<void>;
  toolShown(page: Page, tool: string): Promise<void>;
  /** Opens the view of events or messages, beside the tool. */
  openEvents(page: Page): Promise<void>;
  openTool(page: Page, tool: string): Promise<void>;
  call(page: Page): Promise<void>;
}

export interface Started {
  readonly url: string;
  stop(): Promise<void>;
}
