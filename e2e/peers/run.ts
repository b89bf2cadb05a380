/**
 * `npm run bench:peers [-- --rounds 3]`: Reprise beside MCP Inspector and the inspector of mcp-use, in one run on one
 * machine. Prints a Markdown table; the last line is one JSON object. The others are installed on the first run.
 */
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { launch, median } from '../bench/bench.ts';
import { mcpInspector, mcpUse, reprise } from './inspectors.ts';
import { installPeers } from './install.ts';
import type { Peer } from './peer.ts';
import { BIG_RESULT, MANY_TOOLS, startPeerServer } from './peerServer.ts';

const PEERS = [reprise, mcpInspector, mcpUse];
/** Who takes longer for one step is shown as "over". */
const LIMIT_MS = 60_000;
const TOOL = 'burst_1000';
/** A tool, what its call is, and a text of its result. */
const CALLS = [
  ['big_result', 'result of 10 MB', BIG_RESULT],
  ['burst_1000', '1,000 notifications, events open', '1000 notifications were sent'],
  ['burst_10000', '10,000 notifications, events open', '10000 notifications were sent'],
] as const;

/** How long it took, and for how long the page did not respond at a stretch. */
interface Timing {
  readonly ms: number;
  readonly frozenMs: number;
}
type Found = Timing | 'over' | 'no';

const { rounds } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } }).values;

await installPeers();
const few = await startPeerServer('few');
const many = await startPeerServer('many');
const found = new Map<string, Map<Peer, Found[]>>();
try {
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const peer of PEERS) await measure(peer);
  }
} finally {
  await Promise.all([few.close(), many.close()]);
}
printTable();

async function measure(peer: Peer): Promise<void> {
  await withPage(peer, few.url, async (page, url) => {
    await note('page opened, nothing cached', peer, page, async () => {
      await page.goto(url);
      await peer.firstScreen(page);
    });
    await note('click on Connect → tools listed', peer, page, async () => {
      await peer.connect(page, few.url);
      await peer.toolShown(page, TOOL);
    });
    await note('reload → tools listed again', peer, page, async () => {
      await page.reload();
      await peer.toolShown(page, TOOL);
    });
  });
  for (const [tool, what, shows] of CALLS) {
    await withPage(peer, few.url, async (page, url) => {
      await page.goto(url);
      await peer.firstScreen(page);
      await peer.connect(page, few.url);
      await peer.toolShown(page, TOOL);
      await peer.openEvents(page);
      await peer.openTool(page, tool);
      await note(what, peer, page, async () => {
        await peer.call(page);
        await page.waitForFunction((text) => document.body.textContent.includes(text), shows, {
          polling: 100,
        });
      });
    });
  }
  await withPage(peer, many.url, async (page, url) => {
    await page.goto(url);
    await peer.firstScreen(page);
    await note(`connect to ${MANY_TOOLS.toLocaleString('en')} tools → listed`, peer, page, async () => {
      await peer.connect(page, many.url);
      await peer.toolShown(page, TOOL);
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
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
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

async function note(what: string, peer: Peer, page: Page, step: () => Promise<void>): Promise<void> {
  const rows = found.get(what) ?? new Map<Peer, Found[]>();
  found.set(what, rows);
  const all = rows.get(peer) ?? [];
  rows.set(peer, all);
  await page.evaluate(() => {
    window.longestGapMs = 0;
  });
  const start = performance.now();
  try {
    await step();
    const ms = performance.now() - start;
    // A freeze that has begun is over when the page answers again.
    const frozenMs = await page.evaluate(() => window.longestGapMs);
    all.push({ ms, frozenMs });
    console.error(`${peer.name}: ${what}: ${ms.toFixed(0)} ms, frozen for ${frozenMs.toFixed(0)} ms`);
  } catch (error) {
    all.push(what.startsWith('reload') ? 'no' : 'over');
    console.error(`${peer.name}: ${what}: ${String(error).split('\n')[0] ?? ''}`);
  }
}

function printTable(): void {
  console.log(`| | ${PEERS.map(({ name, version }) => `${name} (${version})`).join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(PEERS.length)}`);
  for (const [what, rows] of found) {
    console.log(`| ${what} | ${PEERS.map((peer) => cell(rows.get(peer) ?? [])).join(' | ')} |`);
  }
  const json = [...found].map(([what, rows]) => [
    what,
    Object.fromEntries(PEERS.map((peer) => [peer.name, summary(rows.get(peer) ?? [])])),
  ]);
  console.log(JSON.stringify(Object.fromEntries(json)));
}

function cell(all: readonly Found[]): string {
  const one = summary(all);
  if (one === undefined) return 'not reached';
  if (one === 'over') return `over ${LIMIT_MS / 1000} s`;
  if (one === 'no') return 'no: no longer connected';
  const frozen = one.frozenMs >= 100 ? `, frozen for ${seconds(one.frozenMs)}` : '';
  return `${seconds(one.ms)}${frozen}`;
}

/** The medians; or, if it was not done in most rounds, why. */
function summary(all: readonly Found[]): Found | undefined {
  const done = all.filter((one) => typeof one === 'object');
  const failed = all.find((one) => typeof one !== 'object');
  if (failed !== undefined && done.length * 2 <= all.length) return failed;
  if (done.length === 0) return undefined;
  return {
    ms: Math.round(median(done.map(({ ms }) => ms))),
    frozenMs: Math.round(median(done.map(({ frozenMs }) => frozenMs))),
  };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
