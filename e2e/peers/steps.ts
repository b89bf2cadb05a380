/** What is measured in each inspector: the same steps, through its own screen. */
import type { Page } from '@playwright/test';
import { launch } from '../bench/bench.ts';
import type { Timing } from './found.ts';
import type { Peer } from './peer.ts';
import { BIG_RESULT, MANY_TOOLS, type PeerServer } from './peerServer.ts';

/** Who takes longer for one step is shown as "over". */
export const LIMIT_MS = 60_000;

export interface Servers {
  readonly few: PeerServer;
  readonly many: PeerServer;
}

/** Takes down how long something took. */
type Note = (what: string, page: Page, step: () => Promise<void>) => Promise<void>;
type Step = (peer: Peer, servers: Servers, note: Note) => Promise<void>;

const TOOL = 'burst_1000';

/** What is measured, in the order of the table. */
export const ROWS = {
  opened: 'page opened, nothing cached',
  connected: 'click on Connect → tools listed',
  tools: `connect to ${MANY_TOOLS.toLocaleString('en')} tools → listed`,
  result: 'result of 10 MB',
  burst1000: '1,000 notifications, events open',
  burst10000: '10,000 notifications, events open',
  reloaded: 'reload → tools listed again',
} as const;

export const STEPS: Readonly<Record<string, Step>> = {
  load: (peer, { few }, note) =>
    withPage(peer, few.url, async (page, url) => {
      await note(ROWS.opened, page, async () => {
        await page.goto(url);
        await peer.firstScreen(page);
      });
      await note(ROWS.connected, page, async () => {
        await peer.connect(page, few.url);
        await peer.toolShown(page, TOOL);
      });
      await note(ROWS.reloaded, page, async () => {
        await page.reload();
        await peer.toolShown(page, TOOL);
      });
    }),
  tools: (peer, { many }, note) =>
    withPage(peer, many.url, async (page, url) => {
      await page.goto(url);
      await peer.firstScreen(page);
      await note(ROWS.tools, page, async () => {
        await peer.connect(page, many.url);
        await peer.toolShown(page, TOOL);
      });
    }),
  result: call('big_result', ROWS.result, BIG_RESULT),
  burst1000: call(TOOL, ROWS.burst1000, '1000 notifications were sent'),
  burst10000: call('burst_10000', ROWS.burst10000, '10000 notifications were sent'),
};

/** A call, up to a text of its result, with the view of events open. */
function call(tool: string, what: string, shows: string): Step {
  return (peer, { few }, note) =>
    withPage(peer, few.url, async (page, url) => {
      await page.goto(url);
      await peer.firstScreen(page);
      await peer.connect(page, few.url);
      await peer.toolShown(page, TOOL);
      await peer.openEvents(page);
      await peer.openTool(page, tool);
      await note(what, page, async () => {
        await peer.call(page);
        const isShown = (text: string) => document.body.textContent.includes(text);
        await page.waitForFunction(isShown, shows, { polling: 100 });
      });
    });
}

/** In a browser of its own: one whose page is frozen is ended with it. */
async function withPage(
  peer: Peer,
  serverUrl: string,
  use: (page: Page, url: string) => Promise<void>,
): Promise<void> {
  const started = await peer.start(serverUrl);
  const browser = await launch();
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    // Fonts and telemetry of other hosts would wait for a network that may not be there.
    await context.route(
      ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
      (route) => route.abort(),
    );
    await context.addInitScript(watchFreezes);
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await use(page, started.url);
  } finally {
    await browser.close();
    await started.stop();
  }
}

declare global {
  interface Window {
    longestGapMs: number;
  }
}

/** A timer that should fire every 10 ms: the longest gap is how long a user's click would have waited. */
function watchFreezes(): void {
  let last = performance.now();
  window.longestGapMs = 0;
  setInterval(() => {
    const now = performance.now();
    window.longestGapMs = Math.max(window.longestGapMs, now - last);
    last = now;
  }, 10);
}

export async function timeStep(page: Page, step: () => Promise<void>): Promise<Timing> {
  await page.evaluate(() => {
    window.longestGapMs = 0;
  });
  const start = performance.now();
  try {
    await step();
    const ms = performance.now() - start;
    // A freeze that has begun is over when the page answers again.
    const frozenMs = await page.evaluate(() => window.longestGapMs);
    return { ms: Math.round(ms), frozenMs: Math.round(frozenMs) };
  } catch {
    return 'over';
  }
}
