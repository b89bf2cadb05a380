/** What every engine must do: come back from reloads quickly, lose nothing, store nothing of the way out. */
import type { Engine } from './engine.ts';

export interface Reloads {
  /** From the reload to `connected`, one for each. */
  readonly backMs: readonly number[];
  /** Entries that say that a stream broke: the page was being left, and must not store that. */
  readonly broken: number;
  /** How the call ended that was running all the time. */
  readonly call: string;
  /** Ticks of that call that did not come, or came more than once. */
  readonly wrongTicks: number;
}

const TICKS = 200;
const TICKS_EVERY_MS = 100;
const STAY_MS = 300;

const LONGEST_MS = 60_000;

const UNTIL_CONNECTED = `
  await reprise.ready;
  for (const from = Date.now(); reprise.state().name !== 'connected';) {
    if (Date.now() - from > ${LONGEST_MS}) throw new Error('Not connected: ' + JSON.stringify(reprise.state()));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
`;
/** By words that need no filter: a page that has just come back has loaded nothing else. */
const OUTCOME = `
  const call = () => reprise.calls().find(({ tool }) => tool === 'countdown');
  while (call().settledAt === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  const entries = await reprise.entries();
  const progress = entries.filter(({ method }) => method === 'notifications/progress');
  const ticks = progress.map(({ message }) => message.params.progress);
  const right = new Set(ticks).size;
  return {
    call: call().name,
    wrongTicks: ${TICKS} - right + (ticks.length - right),
    broken: entries.filter(({ kind, how }) => kind === 'stream-end' && how === 'broken').length,
  };
`;

/** Reloads again and again while one call counts. `connect` is a script that brings the server. */
export async function reloadDuringCall(
  engine: Engine,
  site: string,
  connect: string,
  rounds: number,
): Promise<Reloads> {
  await engine.goto(site);
  await engine.run(`await reprise.ready; ${connect}`);
  await engine.run(UNTIL_CONNECTED);
  const args = JSON.stringify({ ticks: TICKS, intervalMs: TICKS_EVERY_MS });
  await engine.run(`await reprise.call('countdown', ${args})`);
  const backMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await engine.run(`await new Promise((resolve) => setTimeout(resolve, ${STAY_MS}))`);
    const from = performance.now();
    await engine.reload();
    await engine.run(UNTIL_CONNECTED);
    backMs.push(performance.now() - from);
  }
  return { backMs, ...(await engine.run<Omit<Reloads, 'backMs'>>(OUTCOME)) };
}
