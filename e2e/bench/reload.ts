/**
 * What a reload takes until the status and the last result are painted, against an empty Reprise; and until what was
 * missed is recovered, against that and one round trip. Without the browser's cache, and with the site kept by its worker.
 */
import type { Browser, Page } from '@playwright/test';
import { startTarget, type RunningTarget } from '../../targets/startTarget.ts';
import { median, openApp, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';
import { fillLog } from './timelinePage.ts';

const MANY = 100_000;
const ROUNDS = 9;
const TICK_MS = 20;

type Way = 'cold' | 'kept';
type Times = Record<'empty' | 'full' | 'recovered' | 'roundTrip', number>;

export async function measureReload(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const target = await startTarget('resumable');
  const pages = {
    empty: await openApp(browser, site),
    full: await fillLog(browser, site, server.url, MANY),
    calling: await openApp(browser, site),
  };
  try {
    for (const page of Object.values(pages)) await page.addInitScript(watchPaint);
    await startCall(pages.calling, target);
    const measures: Measure[] = [];
    for (const way of ['cold', 'kept'] as const) {
      if (way === 'kept') for (const page of Object.values(pages)) await untilKept(page);
      const rounds: Times[] = [];
      while (rounds.length < ROUNDS) rounds.push(await measureRound(pages, target, way));
      measures.push(...judge(rounds, way));
    }
    return measures;
  } finally {
    for (const page of Object.values(pages)) await page.context().close();
    await target.close();
    await server.close();
  }
}

function judge(rounds: readonly Times[], way: Way): readonly Measure[] {
  const of = (name: keyof Times) => median(rounds.map((round) => round[name]));
  const [empty, full, recovered, roundTrip] = [of('empty'), of('full'), of('recovered'), of('roundTrip')];
  const ms = (time: number) => `${time.toFixed(0)} ms`;
  const suffix = way === 'cold' ? 'Cold' : 'Kept';
  return [
    {
      name: `reload${suffix}`,
      value: median(rounds.map((round) => round.full / round.empty)),
      limit: 1.3,
      detail: `painted after ${ms(full)} with ${MANY} stored entries, ${ms(empty)} without a server`,
    },
    {
      name: `recovered${suffix}`,
      value: median(rounds.map((round) => round.recovered / (round.roundTrip + round.full))),
      limit: 2,
      detail: `recovered after ${ms(recovered)}; a round trip takes ${ms(roundTrip)}`,
    },
  ];
}

async function measureRound(
  { empty, full, calling }: Record<'empty' | 'full' | 'calling', Page>,
  target: RunningTarget,
  way: Way,
): Promise<Times> {
  return {
    empty: await reload(empty, 'empty', way),
    full: await reload(full, 'full', way),
    recovered: await reload(calling, 'recovered', way),
    roundTrip: await calling.evaluate(async (url) => {
      const start = performance.now();
      await (await fetch(url)).text();
      return performance.now() - start;
    }, `${target.origin}/__control/stats`),
  };
}

/** A call that outlives the benchmark. */
async function startCall(page: Page, target: RunningTarget): Promise<void> {
  await page.evaluate((url) => window.reprise.connect(url, { name: 'recovered' }), target.url);
  await page.evaluate(
    (intervalMs) => window.reprise.call('countdown', { ticks: 100_000, intervalMs }),
    TICK_MS,
  );
  await page.waitForFunction(() => (window.reprise.calls()[0]?.received ?? 0) > 5);
}

/** The worker keeps the site a few seconds after a page is there, and serves the next one. */
async function untilKept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

type Seen = 'empty' | 'full' | 'recovered';

declare global {
  interface Window {
    /** When each was first painted. */
    seen?: Partial<Record<Seen, number>>;
  }
}

/** Runs in the page before its scripts: notes the first frames that show what is waited for. */
function watchPaint(): void {
  const seen: Partial<Record<Seen, number>> = (window.seen = {});
  const look = (): void => {
    const status = document.querySelector('[role=status]')?.textContent.trim() ?? '';
    const result = document.querySelector('[aria-label=Result]')?.textContent ?? '';
    if (status !== '' && document.querySelector('main h2')) seen.empty ??= performance.now();
    if (status !== '' && result.includes('sent ')) seen.full ??= performance.now();
    if (status.includes('Recovered')) seen.recovered ??= performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function reload(page: Page, until: Seen, way: Way): Promise<number> {
  if (way === 'cold') {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.clearBrowserCache');
    await devtools.detach();
  }
  await page.reload();
  await page.waitForFunction((what) => window.seen?.[what] !== undefined, until);
  const at = await page.evaluate((what) => window.seen?.[what] ?? NaN, until);
  await page.evaluate(() => window.reprise.ready);
  return at;
}
