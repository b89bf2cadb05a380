/**
 * For tests: a log in this thread or, with `REPRISE_LOG=remote`, one whose recorder is behind a channel that copies what
 * it carries, and takes its time: any time, but in order. The same tests pass over both.
 */
import { systemClock, type Clock } from '../../base/clock.ts';
import { Redactor } from '../../wire/redact.ts';
import { openLocalLog } from '../localLog.ts';
import type { Channel, Order, Report } from '../messages.ts';
import { RemoteLog } from '../remoteLog.ts';
import { serveLog } from '../serveLog.ts';
import type { LogOptions, OpenLog, ServerLog } from '../serverLog.ts';

/** As they are here: a test may replace them. */
const { setTimeout: later, setImmediate: soon } = globalThis;

const IS_REMOTE = process.env['REPRISE_LOG'] === 'remote';

export const openTestLog: OpenLog = IS_REMOTE ? openRemoteLog : openLocalLog;

export function testLog(clock: Clock = systemClock, given: Partial<LogOptions> = {}): ServerLog {
  return openTestLog({ server: 's', clock, redactor: new Redactor(), ...given });
}

export function openRemoteLog(options: LogOptions, random: () => number = dice): ServerLog {
  const there = new Redactor();
  const orders = new SlowChannel<Order>(random);
  const reports = new SlowChannel<Report>(random);
  serveLog({ ...options, redactor: there }, join(reports, orders));
  const log = new RemoteLog(options);
  log.attach(join(orders, reports));
  return log;
}

/** Resolves when nothing is on its way any more, and nothing was begun by what has arrived. */
export async function settled(): Promise<void> {
  do await new Promise((resolve) => later(resolve));
  while (SlowChannel.carried > 0);
}

function join<Out, In>(out: SlowChannel<Out>, back: SlowChannel<In>): Channel<Out, In> {
  return { post: (message) => out.post(message), listen: (hear) => back.listen(hear) };
}

class SlowChannel<T> {
  /** By all channels. */
  static carried = 0;
  readonly #random: () => number;
  #hear: ((message: T) => void) | undefined;
  #last = Promise.resolve();

  constructor(random: () => number) {
    this.#random = random;
  }

  post(message: T): void {
    const copy = structuredClone(message);
    SlowChannel.carried += 1;
    this.#last = this.#last.then(async () => {
      await delay(this.#random());
      SlowChannel.carried -= 1;
      this.#hear?.(copy);
    });
  }

  listen(hear: (message: T) => void): void {
    this.#hear = hear;
  }
}

/** From a few microtasks to a few milliseconds. */
async function delay(chance: number): Promise<void> {
  if (chance < 0.7) for (let i = 0; i < chance * 10; i += 1) await Promise.resolve();
  else if (chance < 0.9) await new Promise((resolve) => soon(resolve));
  else await new Promise((resolve) => later(resolve, (chance - 0.9) * 40));
}

let seed = Number(process.env['REPRISE_SEED'] ?? 1);

/** Mulberry32: the same delays with the same seed. */
function dice(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
