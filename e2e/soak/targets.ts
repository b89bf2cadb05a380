/** `npm run soak:targets [-- --minutes 10]`: crowds that come, leave and return, with faults, at a target and through a bridge. */
import { parseArgs } from 'node:util';
import { soakBridge } from '../../bridge/testing/soakBridge.ts';
import { startTarget, type RunningTarget } from '../../targets/startTarget.ts';
import { sendCrowd } from '../../targets/testing/crowd.ts';
import { eventually } from '../../targets/testing/eventually.ts';
import { heapInUse } from '../../targets/testing/heap.ts';

const IDLE_JUMP_MS = 11 * 60 * 1000;
const SESSIONS_PER_ROUND = 50;
/** What the heap may grow by between the first rounds and the last. */
const ALLOWED_GROWTH_BYTES = 10 * 1024 * 1024;
const WARM_UP_ROUNDS = 3;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const endsAt = Date.now() + Number(values.minutes) * 60 * 1000;

let skippedMs = 0;
const target = await startTarget('resumable', {
  overrides: { now: () => Date.now() + skippedMs, reapEveryMs: 50 },
});

/** Everybody returns twice; then the sessions are left alone until the reaper has been there. */
async function playRound(running: RunningTarget, round: number): Promise<number> {
  const { problems } = await sendCrowd(running, {
    sessions: SESSIONS_PER_ROUND,
    ticks: 5 + (round % 10),
    intervalMs: 10 + (round % 5) * 10,
    reloads: 2,
  });
  for (const problem of problems) console.error(`round ${round}: ${problem}`);
  if (round % 5 === 4) await running.control('drop-streams');
  if (round % 7 === 6) await running.control('restart');
  skippedMs += IDLE_JUMP_MS;
  await eventually('every session has ended', () =>
    running.stats().sessions.every(({ ended }) => ended !== undefined),
  );
  return problems.length;
}

const bridge = await soakBridge();

let failures = 0;
let rounds = 0;
let heapAtStart = 0;
let heapNow = 0;
while (Date.now() < endsAt || rounds <= WARM_UP_ROUNDS) {
  failures += await playRound(target, rounds);
  for (const problem of await bridge.playRound(rounds)) {
    failures += 1;
    console.error(`round ${rounds}, bridge: ${problem}`);
  }
  rounds += 1;
  heapNow = await heapInUse();
  if (rounds === WARM_UP_ROUNDS) heapAtStart = heapNow;
  const megabytes = (heapNow / 1024 / 1024).toFixed(1);
  console.log(
    `round ${rounds}: ${rounds * SESSIONS_PER_ROUND} calls, ${failures} failed, heap ${megabytes} MB`,
  );
}
await target.close();
const leftBehind = await bridge.close();
if (leftBehind.length > 0) console.error(`Processes left behind by the bridge: ${leftBehind.join(', ')}`);
failures += leftBehind.length;

const growth = heapNow - heapAtStart;
if (growth > ALLOWED_GROWTH_BYTES)
  console.error(`The heap grew by ${growth} bytes after ${WARM_UP_ROUNDS} rounds.`);
const isSound = failures === 0 && growth <= ALLOWED_GROWTH_BYTES;
console.log(
  JSON.stringify({ rounds, calls: rounds * SESSIONS_PER_ROUND, failures, heapGrowthBytes: growth }),
);
process.exitCode = isSound ? 0 : 1;
