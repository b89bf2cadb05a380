/** The ways of a page to die. Each leaves another page on its way to the site. */
import type { Death } from './plan.ts';
import { untilDone, type Stage } from './stage.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const die: Record<Death, (stage: Stage, gapMs: number) => Promise<void>> = {
  reload: (stage) => reload(stage, 1, 0),
  'double-reload': (stage, gapMs) => reload(stage, 2, gapMs),
  'triple-reload': (stage, gapMs) => reload(stage, 3, gapMs),

  async crash(stage) {
    const { tab } = stage;
    await tab.crash?.();
    // Before the next is opened: commands for all tabs stop at one that has crashed.
    await tab.close().catch(() => undefined);
    await stage.open();
  },

  async 'new-tab'(stage, gapMs) {
    await stage.tab.close();
    await sleep(gapMs);
    await stage.open();
  },

  async 'take-over'(stage, gapMs) {
    const first = stage.tab;
    await stage.open();
    await sleep(gapMs);
    await first.close();
  },

  async back(stage, gapMs) {
    await untilDone(() => stage.tab.goto('about:blank'));
    await sleep(gapMs);
    // A page that comes out of the cache is not loaded, so there is nothing to wait for here.
    await stage.tab.run(() => history.back(), undefined).catch(() => undefined);
    await stage.untilBack();
  },

  async kill(stage) {
    if (!stage.seat.kill) throw new Error('This browser is not ours to kill.');
    await stage.seat.kill();
    await stage.open();
  },
};

/** At once, without a look at how far the page before has come. */
async function reload(stage: Stage, times: number, gapMs: number): Promise<void> {
  for (let time = 1; time < times; time += 1) {
    void stage.tab.run(() => location.reload(), undefined).catch(() => undefined);
    await sleep(gapMs);
  }
  // One that another overtakes fails, as one does while the page is offline.
  await untilDone(() => stage.tab.reload());
}
