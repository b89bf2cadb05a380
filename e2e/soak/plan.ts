/** What happens in a trial: calls, page deaths and faults, in order. The same seed has the same plan. */
import { seededRandom } from '../../harness/moment.ts';
import { findSoakServer, SOAK_SERVERS, type SoakServer } from './servers.ts';

export const DEATHS = [
  'reload',
  'double-reload',
  'triple-reload',
  'crash',
  'new-tab',
  'take-over',
  'back',
  'kill',
] as const;
export type Death = (typeof DEATHS)[number];

export const FAULTS = [
  'reset-all',
  'reset-half',
  'before-head',
  'mid-frame',
  'mid-character',
  'refuse',
  'stall',
  'byte-by-byte',
  'offline',
  'busy-409',
  'error-503',
  'restart',
  'quota',
  'clock',
  'freeze',
] as const;
export type FaultName = (typeof FAULTS)[number];

/** Each step begins so many milliseconds after the one before it. */
interface Timed {
  readonly afterMs: number;
}

export type Step = Timed &
  (
    | {
        readonly kind: 'call';
        readonly key: string;
        readonly ticks: number;
        readonly everyMs: number;
        readonly asks: boolean;
      }
    | { readonly kind: 'death'; readonly death: Death; readonly gapMs: number }
    | { readonly kind: 'fault'; readonly fault: FaultName; readonly forMs: number; readonly atByte: number }
    /** Answers what is asked at this moment. What nothing answers is answered at the end. */
    | { readonly kind: 'answer' }
    /** Waits until a message of this call is stored in the page: never drawn, for tests that must not depend on time. */
    | { readonly kind: 'stored'; readonly key: string }
  );

export interface Plan {
  readonly seed: number;
  readonly server: string;
  readonly steps: readonly Step[];
}

/** How often each is drawn. A killed browser costs as much as ten reloads. */
const DEATH_WEIGHTS: Record<Death, number> = {
  reload: 40,
  'double-reload': 15,
  'triple-reload': 8,
  crash: 8,
  'new-tab': 12,
  'take-over': 8,
  back: 6,
  kill: 2,
};
const FAULT_WEIGHTS: Record<FaultName, number> = {
  'reset-all': 5,
  'reset-half': 5,
  'before-head': 5,
  'mid-frame': 5,
  'mid-character': 5,
  refuse: 4,
  stall: 3,
  'byte-by-byte': 4,
  offline: 4,
  'busy-409': 4,
  'error-503': 4,
  restart: 3,
  quota: 2,
  clock: 4,
  freeze: 3,
};

const CALLS = [1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12];
const LONGEST_CALL_MS = 800;

/** @param cannot what the engine has no way to do */
export function planOf(seed: number, cannot: readonly (Death | FaultName)[] = []): Plan {
  const dice = new Dice(seededRandom(seed));
  const server = findSoakServer(dice.weighted(SOAK_SERVERS.map(({ name, weight }) => [name, weight])));
  const calls = Array.from({ length: dice.pick(CALLS) }, (_, i) => callStep(dice, server, `${seed}-${i}`));
  const deaths = Array.from({ length: dice.pick([1, 1, 1, 2, 2, 3]) }, () => deathStep(dice, cannot));
  const faults = Array.from({ length: dice.pick([0, 0, 1, 1, 2]) }, () => faultStep(dice, server, cannot));
  const answers: Step[] = calls.some((step) => step.kind === 'call' && step.asks)
    ? [{ kind: 'answer', afterMs: dice.upTo(200) }]
    : [];
  const [first, ...rest] = calls;
  return {
    seed,
    server: server.name,
    steps: [...(first ? [first] : []), ...dice.shuffled([...rest, ...deaths, ...faults, ...answers])],
  };
}

function callStep(dice: Dice, server: SoakServer, key: string): Step {
  const ticks = 1 + dice.upTo(10);
  const everyMs = dice.upTo(Math.floor(LONGEST_CALL_MS / ticks));
  return {
    kind: 'call',
    afterMs: dice.upTo(30),
    key,
    ticks,
    everyMs,
    asks: server.asks && dice.chance(0.15),
  };
}

function deathStep(dice: Dice, cannot: readonly string[]): Step {
  const possible = (Object.entries(DEATH_WEIGHTS) as [Death, number][]).filter(
    ([name]) => !cannot.includes(name),
  );
  const death = dice.weighted(possible);
  return { kind: 'death', afterMs: dice.moment(), death, gapMs: dice.upTo(150) };
}

function faultStep(dice: Dice, server: SoakServer, cannot: readonly string[]): Step {
  const possible = (Object.entries(FAULT_WEIGHTS) as [FaultName, number][]).filter(
    ([name]) => !cannot.includes(name) && (name !== 'restart' || server.canRestart),
  );
  return {
    kind: 'fault',
    afterMs: dice.moment(),
    fault: dice.weighted(possible),
    forMs: 20 + dice.upTo(400),
    atByte: dice.upTo(900),
  };
}

class Dice {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** From 0 to the number, inclusive. */
  upTo(most: number): number {
    return Math.floor(this.#random() * (most + 1));
  }

  /** Often at once, mostly soon, sometimes late: the blind window is short, and a call is over in a second. */
  moment(): number {
    return this.chance(0.25) ? this.upTo(15) : this.upTo(350);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(all: readonly T[]): T {
    return all[this.upTo(all.length - 1)] as T;
  }

  weighted<T>(all: readonly (readonly [T, number])[]): T {
    let left = this.#random() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [one, weight] of all) {
      left -= weight;
      if (left < 0) return one;
    }
    return (all.at(-1) as readonly [T, number])[0];
  }

  shuffled<T>(all: readonly T[]): readonly T[] {
    const found = [...all];
    for (let i = found.length - 1; i > 0; i -= 1) {
      const j = this.upTo(i);
      [found[i], found[j]] = [found[j] as T, found[i] as T];
    }
    return found;
  }
}

/** A plan as sentences, for the person who looks into a counterexample. */
export function tellPlan({ seed, server, steps }: Plan): string {
  return [
    `seed ${seed}, ${server}:`,
    ...steps.map((step) => `  +${step.afterMs} ms  ${tellStep(step)}`),
  ].join('\n');
}

function tellStep(step: Step): string {
  switch (step.kind) {
    case 'call':
      return `call ${step.key}: ${step.ticks} × ${step.everyMs} ms${step.asks ? ', asks' : ''}`;
    case 'death':
      return `death: ${step.death} (${step.gapMs} ms)`;
    case 'fault':
      return `fault: ${step.fault} (${step.forMs} ms, byte ${step.atByte})`;
    case 'answer':
      return 'answer';
    case 'stored':
      return `a message of ${step.key} is stored`;
  }
}
