/** 50,000 notifications in one call: how much more than reading them does it cost to keep them? */
import type { Browser } from '@playwright/test';
import { median, type Measure } from './bench.ts';
import { startBurstServer } from './burstServer.ts';
import { burstRounds, COUNT, type Cost, type Round, type RoundOptions } from './burstRounds.ts';

const ROUNDS = 7;
const SLOW_ROUNDS = 3;
/** A slow laptop, or a phone. */
const SLOWDOWN = 4;

export async function measureBurst(browser: Browser, site: string): Promise<readonly Measure[]> {
  const server = await startBurstServer();
  const measure = (options: RoundOptions) => burstRounds(browser, site, server, options);
  const progress = await measure({ rounds: ROUNDS });
  const ready = await measure({ rounds: ROUNDS, isReady: true });
  const mixed = await measure({ rounds: ROUNDS, kind: 'mixed' });
  const slow = await measure({ rounds: SLOW_ROUNDS, slowdown: SLOWDOWN });
  await server.close();
  // Half of the yardstick is the server that makes the bytes.
  const beside = `; ${ratio(ready, 'wallMs').toFixed(2)} with bytes that are made before`;
  return [
    compare('burstStored', 1.2, progress, 'wallMs', `${COUNT} notifications stored and countable`, beside),
    compare('burstMixed', 1.5, mixed, 'wallMs', 'the same with two kinds of messages in turn'),
    compare('burstCpu', 0.5, progress, 'cpuMs', 'the main thread was busy for'),
    longest('longestTaskMs', 50, progress, 'the longest task while they arrived, 0 if none took 50 ms'),
    longest('longestTaskSlow', 50, slow, `the same on a CPU that is ${SLOWDOWN} times slower`),
  ];
}

function compare(
  name: string,
  limit: number,
  rounds: readonly Round[],
  what: keyof Cost,
  text: string,
  beside = '',
): Measure {
  const [kept, plain] = [
    median(rounds.map((round) => round.kept[what])),
    median(rounds.map((round) => round.plain[what])),
  ];
  const detail = `${text} ${kept.toFixed(0)} ms, read and parsed ${plain.toFixed(0)} ms${beside}`;
  return { name, value: ratio(rounds, what), limit, detail };
}

/** A busy moment of the machine is one of both halves of a round. */
function ratio(rounds: readonly Round[], what: keyof Cost): number {
  return median(rounds.map(({ plain, kept }) => kept[what] / plain[what]));
}

function longest(name: string, limit: number, rounds: readonly Round[], detail: string): Measure {
  return { name, value: median(rounds.map(({ kept }) => kept.longestTaskMs)), limit, detail };
}
