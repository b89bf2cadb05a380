import { expect, it } from 'vitest';
import { eventually } from './testing/eventually.ts';
import { sendCrowd } from './testing/crowd.ts';
import { heapInUse } from './testing/heap.ts';
import { openStreams } from './testing/openStreams.ts';
import { withTarget } from './testing/withTarget.ts';

const SESSIONS = 200;
const MINUTES = 60 * 1000;

it(
  'delivers every result to 200 clients that were killed at once, and gives the memory back',
  { timeout: 180_000 },
  async () => {
    let skippedMs = 0;
    const target = await withTarget('resumable', {
      overrides: { now: () => Date.now() + skippedMs, reapEveryMs: 20 },
    });
    const leftAlone = async () => {
      skippedMs += 11 * MINUTES;
      await eventually('the reaper has been everywhere', () =>
        target.stats().sessions.every(({ ended }) => ended === 'idle'),
      );
    };
    const calls = { ticks: 8, intervalMs: 40 };
    await sendCrowd(target, { sessions: SESSIONS, ...calls });
    await leftAlone();
    const atStart = await heapInUse();

    const { whole, problems } = await sendCrowd(target, { sessions: SESSIONS, ...calls });
    expect(problems).toEqual([]);
    expect(whole).toBe(SESSIONS);
    expect(target.stats().calls).toEqual({ countdown: 2 * SESSIONS });
    const inUse = await heapInUse();
    await leftAlone();
    expect(openStreams(target)).toBe(0);
    const atEnd = await heapInUse();
    console.log(
      `heap: ${mb(atStart)} at the start, ${mb(inUse)} with ${SESSIONS} sessions, ${mb(atEnd)} after the reaper`,
    );
    expect(atEnd - atStart).toBeLessThan((inUse - atStart) / 3);
  },
);

const mb = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
