/** Scrolling and zooming through 100,000 entries against 1,000: how long a frame takes. */
import type { Browser, Page } from '@playwright/test';
import { median, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';
import { fillLog, reopen } from './timelinePage.ts';

const FEW = 1000;
const MANY = 100_000;
const FRAMES = 240;
const ROUNDS = 3;

export async function measureDrawing(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const few = await fillLog(browser, site, server.url, FEW);
  const many = await fillLog(browser, site, server.url, MANY);
  await reopen(few);
  await reopen(many);
  const frames = { few: [] as number[], many: [] as number[] };
  const longest = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const a = await moveAbout(few);
    const b = await moveAbout(many);
    // The first round warms up the compiler, for both.
    if (round === 0) continue;
    frames.few.push(percentile(a, 0.95));
    frames.many.push(percentile(b, 0.95));
    longest.few.push(Math.max(...a));
    longest.many.push(Math.max(...b));
  }
  await Promise.all([few.context().close(), many.context().close()]);
  await server.close();
  return [
    {
      name: 'drawMany',
      value: median(frames.many) / median(frames.few),
      limit: 2,
      detail: `95 of 100 frames within ${median(frames.many).toFixed(1)} ms with ${MANY} entries, ${median(frames.few).toFixed(1)} ms with ${FEW}`,
    },
    {
      name: 'longestFrameMs',
      value: median(longest.many),
      limit: 50,
      // On a busy machine both are long.
      detail: `the longest frame with ${MANY} entries; with ${FEW} it took ${median(longest.few).toFixed(1)} ms`,
    },
  ];
}

/** Zooms in and out, pans, and scrolls the table, all at once; gives the length of each frame. */
export function moveAbout(page: Page): Promise<readonly number[]> {
  return page.evaluate(async (count) => {
    const canvas = document.querySelector<HTMLElement>('[role=group][aria-label=Lanes] canvas');
    const list = document.querySelector<HTMLElement>('[role=listbox][aria-label=Entries]');
    if (!canvas || !list) throw new Error('No timeline.');
    const { left, top, width } = canvas.getBoundingClientRect();
    const frames: number[] = [];
    let before = await new Promise<number>(requestAnimationFrame);
    for (let i = 0; i < count; i += 1) {
      const turn = Math.floor(i / 40) % 4;
      const init = { clientX: left + width * 0.6, clientY: top + 60, bubbles: true, cancelable: true };
      const deltaY = turn === 0 ? -80 : turn === 1 ? 80 : 0;
      const deltaX = turn === 2 ? 60 : turn === 3 ? -60 : 0;
      canvas.dispatchEvent(new WheelEvent('wheel', { ...init, deltaX, deltaY, ctrlKey: deltaY !== 0 }));
      list.scrollTop = (list.scrollHeight * (i % 60)) / 60;
      const now = await new Promise<number>(requestAnimationFrame);
      frames.push(now - before);
      before = now;
    }
    return frames;
  }, FRAMES);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
}
