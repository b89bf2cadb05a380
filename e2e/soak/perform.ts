/** Plays a plan in a real browser against a real server, and notes what there is to judge. */
import { within } from '../engines/within.ts';
import type { Browsers } from './browsers/seat.ts';
import { die } from './deaths.ts';
import { playFault } from './faults.ts';
import { judge, type Trial, type Verdict } from './judge.ts';
import type { Plan, Step } from './plan.ts';
import { findSoakServer } from './servers.ts';
import { Stage, type Sight } from './stage.ts';
import { openWorld as openUsual, type OpenWorld, type World } from './world.ts';

export interface Performed {
  readonly trial: Trial;
  readonly verdict: Verdict;
  /** The log of the last page, if there is a problem and it can be read. */
  readonly log?: string;
  /** What the tab shows, if there is a problem. */
  readonly sight?: Sight;
  /** From a death, or the end of a fault after it, to the connection. */
  readonly returnMs: readonly number[];
  /** Calls that the server had not ended when a page died, summed over the deaths. */
  readonly openAtDeath: number;
}

export interface Bench {
  readonly browsers: Pick<Browsers, 'seat'>;
  readonly site: string;
  /** Another server under the same name, for tests of the soak itself. */
  readonly openWorld?: OpenWorld;
}

export async function perform(plan: Plan, bench: Bench): Promise<Performed> {
  const server = findSoakServer(plan.server);
  const world = await (bench.openWorld ?? openUsual)(server);
  const isKilled = plan.steps.some((step) => step.kind === 'death' && step.death === 'kill');
  const seat = await bench.browsers.seat({ isKilled });
  try {
    return await new Performer(plan, world, new Stage(seat, bench.site)).play();
  } finally {
    await within(CLOSES_WITHIN_MS, 'close the browser', seat.close()).catch(() => undefined);
    await within(CLOSES_WITHIN_MS, 'close the server', world.close()).catch(() => undefined);
  }
}

/** Longer than what a death waits for by itself: a driver can hang, and says nothing. */
const DIES_WITHIN_MS = 100_000;
const CLOSES_WITHIN_MS = 30_000;
/** What isn't there by then is lost. */
const COMES_WITHIN_MS = 10_000;
const LOOKS_EVERY_MS = 200;

const isIncomplete = ({ calls }: Verdict): boolean => calls.some(({ fate }) => fate === 'lost');

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

class Performer {
  readonly #plan: Plan;
  readonly #world: World;
  readonly #stage: Stage;
  readonly #asked: { key: string; at: number; wasAccepted: boolean }[] = [];
  readonly #disturbed: { from: number; to: number }[] = [];
  readonly #returnMs: number[] = [];
  readonly #underWay: Promise<void>[] = [];
  #openAtDeath = 0;

  constructor(plan: Plan, world: World, stage: Stage) {
    this.#plan = plan;
    this.#world = world;
    this.#stage = stage;
  }

  async play(): Promise<Performed> {
    const stuck = await this.#run().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
    );
    let trial = await this.#look(stuck);
    let verdict = judge(trial);
    // Progress may come on the standalone stream, which a server still holds for a page that has died: it comes later.
    for (const endsAt = Date.now() + COMES_WITHIN_MS; isIncomplete(verdict) && Date.now() < endsAt;) {
      await sleep(LOOKS_EVERY_MS);
      trial = await this.#look(stuck);
      verdict = judge(trial);
    }
    const isWell = verdict.problems.length === 0;
    const log = isWell ? undefined : await this.#stage.exportLog().catch(() => undefined);
    const sight = isWell ? undefined : await this.#stage.see().catch(() => undefined);
    return {
      trial,
      verdict,
      ...(log !== undefined && { log }),
      ...(sight && { sight }),
      returnMs: this.#returnMs,
      openAtDeath: this.#openAtDeath,
    };
  }

  /** What the server has done, and what the page shows of it. */
  async #look(stuck: string | undefined): Promise<Trial> {
    const { steps, server } = this.#plan;
    const shown = await this.#stage.shown().catch(() => undefined);
    const had = (fault: string) => steps.some((step) => step.kind === 'fault' && step.fault === fault);
    return {
      server: findSoakServer(server),
      asked: this.#asked,
      runs: await this.#world.runs(),
      ...(shown && { shown }),
      disturbed: this.#disturbed,
      wasRestarted: had('restart'),
      wasFull: had('quota'),
      pageErrors: this.#stage.seat.pageErrors,
      ...(stuck !== undefined && { stuck }),
    };
  }

  async #run(): Promise<void> {
    await this.#stage.open();
    await this.#stage.connect(this.#world.url);
    for (const step of this.#plan.steps) {
      await sleep(step.afterMs);
      await this.#take(step);
    }
    await Promise.all(this.#underWay);
    await this.#stage.untilConnected();
    if (!(await this.#stage.finish())) throw new Error('A call is still open.');
  }

  async #take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'call':
        return this.#call(step);
      case 'answer':
        return this.#stage.answer();
      case 'stored':
        // A shorter plan may have lost the call: then there is nothing to wait for.
        if (this.#asked.some(({ key }) => key === step.key)) await this.#stage.untilStored(step.key);
        return;
      case 'fault':
        this.#underWay.push(this.#disturb(step));
        return;
      case 'death':
        return this.#kill(step);
    }
  }

  /** Not awaited: the page may die in the middle of it. */
  #call({ key, ticks, everyMs, asks }: Step & { kind: 'call' }): void {
    const asked = { key, at: Date.now(), wasAccepted: false };
    this.#asked.push(asked);
    const called = this.#stage.call({ key, ticks, everyMs, asks });
    this.#underWay.push(called.then((wasAccepted) => void (asked.wasAccepted = wasAccepted)));
  }

  async #disturb(step: Step & { kind: 'fault' }): Promise<void> {
    const window = { from: Date.now(), to: Infinity };
    this.#disturbed.push(window);
    await playFault(this.#world, this.#stage, step);
    window.to = Date.now();
  }

  async #kill({ death, gapMs }: Step & { kind: 'death' }): Promise<void> {
    const from = Date.now();
    const ended = new Set((await this.#world.runs()).flatMap(({ key, end }) => (end ? [key] : [])));
    this.#openAtDeath += this.#asked.filter(({ key }) => !ended.has(key)).length;
    const window = { from, to: Infinity };
    this.#disturbed.push(window);
    await within(DIES_WITHIN_MS, 'end the page', die[death](this.#stage, gapMs));
    window.to = Date.now();
    this.#underWay.push(this.#watchReturn(from));
  }

  /** A death that follows before the page is back has its own return. */
  async #watchReturn(from: number): Promise<void> {
    const { tab } = this.#stage;
    const deaths = this.#disturbed.length;
    await this.#stage.untilConnected().then(
      () => {
        const wasCalm = this.#disturbed.length === deaths && tab === this.#stage.tab;
        const quietSince = Math.max(from, ...this.#disturbed.map(({ to }) => (to === Infinity ? from : to)));
        const isQuiet = this.#disturbed.every(({ to }) => to !== Infinity);
        if (wasCalm && isQuiet) this.#returnMs.push(Date.now() - Math.min(quietSince, Date.now()));
      },
      () => undefined,
    );
  }
}
