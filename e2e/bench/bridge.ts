/** What a bridge costs: a burst and a first answer against a direct connection, a long history, and its memory. */
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { bridgeStatusUrl, type BridgeStatus } from '../../src/base/bridgeContract.ts';
import { startBridge, type BridgeOptions, type RunningBridge } from '../../bridge/startBridge.ts';
import { heapInUse } from '../../targets/testing/heap.ts';
import { RawClient } from '../../targets/testing/rawClient.ts';
import { isResponseFrame } from '../../targets/testing/rawStream.ts';
import { median, openApp, type Measure } from './bench.ts';
import { callBurst, COUNT } from './burstRounds.ts';
import { startBurstServer } from './burstServer.ts';

const ROUNDS = 9;
const ANSWERS = 60;
const FEW = 1000;
const MANY = 100_000;
const MEMORY_LIMIT_BYTES = 32 * 1024 * 1024;

export async function measureBridge(browser: Browser, site: string): Promise<readonly Measure[]> {
  return [...(await measureInPage(browser, site)), await measureResume(), await measureMemory()];
}

/** The same messages, from a page that is connected directly, and from one behind the bridge. */
async function measureInPage(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const bridge = await bridgeBurst();
  const direct = await connect(browser, site, server.url);
  const bridged = await connect(browser, site, urlOf(bridge));
  const bursts = { direct: [] as number[], bridged: [] as number[] };
  const answers = { direct: [] as number[], bridged: [] as number[] };
  for (let round = 0; round <= ANSWERS; round += 1) {
    answers.direct.push(await callOnce(direct));
    answers.bridged.push(await callOnce(bridged));
  }
  for (let round = 0; round <= ROUNDS; round += 1) {
    bursts.direct.push(await callBurst(direct));
    bursts.bridged.push(await callBurst(bridged));
  }
  await Promise.all([direct.context().close(), bridged.context().close(), server.close(), bridge.close()]);
  return [
    compare('bridgeBurst', 1.5, bursts, `${COUNT} notifications stored in the page`),
    compare('bridgeAnswer', 1.3, answers, 'a call completed in the page'),
  ];
}

function compare(
  name: string,
  limit: number,
  { direct, bridged }: { direct: readonly number[]; bridged: readonly number[] },
  what: string,
): Measure {
  // The first round warms up both sides. A busy moment of the machine is one of both halves of a round.
  const ratios = bridged.map((one, round) => one / (direct[round] ?? NaN)).slice(1);
  const [one, other] = [median(bridged.slice(1)), median(direct.slice(1))];
  const detail = `${what} after ${one.toFixed(1)} ms through the bridge, ${other.toFixed(1)} ms directly`;
  return { name, value: median(ratios), limit, detail };
}

async function connect(browser: Browser, site: string, url: string): Promise<Page> {
  const page = await openApp(browser, site);
  await page.evaluate((address) => window.reprise.connect(address, { name: 'bench' }), url);
  return page;
}

/** From the call to its result, as a script in the page sees it. */
function callOnce(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const start = performance.now();
    const id = await window.reprise.call('burst', { count: 0 });
    const isSettled = () => window.reprise.calls().some((one) => one.id === id && one.name === 'settled');
    while (!isSettled()) await new Promise((resolve) => setTimeout(resolve));
    return performance.now() - start;
  });
}

/** The last ten events of a call, asked for in a session with few and with many kept events. */
async function measureResume(): Promise<Measure> {
  const bridge = await bridgeBurst();
  const few = await keep(bridge, FEW);
  const many = await keep(bridge, MANY);
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round <= ANSWERS; round += 1) {
    times.few.push(await few());
    times.many.push(await many());
  }
  await bridge.close();
  const [one, other] = [median(times.many.slice(1)), median(times.few.slice(1))];
  return {
    name: 'bridgeResume',
    value: one / other,
    limit: 1.5,
    detail: `resumed in ${one.toFixed(1)} ms with ${MANY} stored events, ${other.toFixed(1)} ms with ${FEW}`,
  };
}

async function keep(bridge: RunningBridge, count: number): Promise<() => Promise<number>> {
  const client = await RawClient.connect(urlOf(bridge));
  const frames = await (await client.call('burst', { count })).readUntil(isResponseFrame);
  const from = frames.at(-11)?.id;
  return async () => {
    const start = performance.now();
    const stream = await client.get(from);
    await stream.readUntil(isResponseFrame);
    const took = performance.now() - start;
    stream.leave();
    return took;
  };
}

/** Three times as much as may be kept: what the process holds of it, and what it says that it keeps. */
async function measureMemory(): Promise<Measure> {
  const bridge = await bridgeBurst({ maxBytes: MEMORY_LIMIT_BYTES });
  const client = await RawClient.connect(urlOf(bridge));
  const before = await heapInUse();
  for (let sent = 0; sent < 3 * MEMORY_LIMIT_BYTES; sent += 10_000_000) {
    const stream = await client.call('burst', { count: 10_000, bytes: 1000 });
    while (!isResponseFrame((await stream.next()) ?? { data: '', message: { result: {} } })) continue;
    stream.leave();
  }
  const grownBytes = (await heapInUse()) - before;
  const status = await fetch(bridgeStatusUrl(urlOf(bridge)), {
    headers: { 'mcp-session-id': client.sessionId ?? '' },
  });
  const { session } = (await status.json()) as BridgeStatus;
  await bridge.close();
  const keptBytes = session?.kept.bytes ?? Infinity;
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  return {
    name: 'bridgeMemory',
    value: Math.max(keptBytes, grownBytes) / MEMORY_LIMIT_BYTES,
    limit: 1.5,
    detail: `${megabytes(keptBytes)} kept, ${megabytes(grownBytes)} of heap, with a limit of ${megabytes(MEMORY_LIMIT_BYTES)}`,
  };
}

function bridgeBurst(options: Partial<BridgeOptions> = {}): Promise<RunningBridge> {
  const args = [join(ROOT, 'e2e/bench/burstProgram.mjs')];
  const program = { command: process.execPath, args, env: {} };
  return startBridge({ servers: [{ transport: 'stdio', name: 'burst', program }], ...options });
}

const urlOf = ({ servers: [server] }: RunningBridge): string => server?.url ?? '';
