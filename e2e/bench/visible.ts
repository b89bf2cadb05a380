/** A burst of 50,000 notifications with the timeline on the screen, against the same with the timeline closed. */
import type { Browser } from '@playwright/test';
import { median, type Measure } from './bench.ts';
import { callBurst, COUNT, openBurst } from './burstRounds.ts';
import { startBurstServer } from './burstServer.ts';

const ROUNDS = 5;

export async function measureVisible(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const page = await openBurst(browser, site, server);
  const toggle = page
    .getByRole('region', { name: 'Timeline' })
    .getByRole('button', { name: 'Timeline', exact: true });
  const times = { shown: [] as number[], hidden: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const shown = await callBurst(page);
    await toggle.click();
    const hidden = await callBurst(page);
    await toggle.click();
    await page.locator('[role=listbox][aria-label=Calls]').waitFor();
    if (round === 0) continue;
    times.shown.push(shown);
    times.hidden.push(hidden);
  }
  await page.context().close();
  await server.close();
  return [
    {
      name: 'burstVisible',
      value: median(times.shown) / median(times.hidden),
      limit: 1.15,
      detail: `${COUNT} notifications in ${median(times.shown).toFixed(0)} ms with the timeline, ${median(times.hidden).toFixed(0)} ms without`,
    },
  ];
}
