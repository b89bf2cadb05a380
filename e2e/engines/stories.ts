/** What every engine must do: come back from reloads quickly, lose nothing, store nothing of the way out. */
import type { Engine } from './engine.ts';
import { within } from './within.ts';

export interface Outcome {
  /** Entries that say that a stream broke: the page was being left, and must not store that. */
  readonly broken: number;
  /** How the call ended that was running all the time. */
  readonly call: string;
  /** Ticks of that call that did not come, or came more than once. */
  readonly wrongTicks: number;
}

const TICKS_EVERY_MS = 100;
/** The call must outlive all reloads of all engines, on a busy machine too. */
const TICKS_PER_ROUND = 50;

const LONGEST_MS = 60_000;

const UNTIL_CONNECTED = `
  await reprise.ready;
  for (const from = Date.now(); reprise.state().name !== 'connected';) {
    if (Date.now() - from > ${LONGEST_MS}) throw new Error('Not connected: ' + JSON.stringify(reprise.state()));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
`;
const CALL = `const call = () => reprise.calls().find(({ tool }) => tool === 'countdown');`;
/** By words that need no filter: a page that has just come back has loaded nothing else. */
const outcomeOf = (ticks: number) => `
  ${CALL}
  while (call().settledAt === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  const entries = await reprise.entries();
  const progress = entries.filter(({ method }) => method === 'notifications/progress');
  const ticks = progress.map(({ message }) => message.params.progress);
  const right = new Set(ticks).size;
  return {
    call: call().name,
    wrongTicks: ${ticks} - right + (ticks.length - right),
    broken: entries.filter(({ kind, how }) => kind === 'stream-end' && how === 'broken').length,
  };
`;

/** One engine that is loaded again and again while one call counts. */
export class ReloadStory {
  readonly backMs: number[] = [];
  readonly #engine: Engine;
  readonly #ticks: number;

  private constructor(engine: Engine, rounds: number) {
    this.#engine = engine;
    this.#ticks = rounds * TICKS_PER_ROUND;
  }

  /** @param connect a script that brings the server */
  static async begin(engine: Engine, site: string, connect: string, rounds: number): Promise<ReloadStory> {
    const story = new ReloadStory(engine, rounds);
    await within(LONGEST_MS, 'open the page', engine.goto(site));
    await story.#run('connect', `await reprise.ready; ${connect}`);
    await story.#run('be connected', UNTIL_CONNECTED);
    const args = JSON.stringify({ ticks: story.#ticks, intervalMs: TICKS_EVERY_MS });
    await story.#run('call', `await reprise.call('countdown', ${args})`);
    return story;
  }

  /** From the reload to `connected`. */
  async reload(): Promise<void> {
    const from = performance.now();
    await within(LONGEST_MS, 'reload', this.#engine.reload());
    await this.#run('be connected again', UNTIL_CONNECTED);
    this.backMs.push(performance.now() - from);
    const isOpen = await this.#run<boolean>(
      'look at the call',
      `${CALL} return call().settledAt === undefined`,
    );
    if (!isOpen) throw new Error('The call ended before the last reload.');
  }

  end(): Promise<Outcome> {
    return this.#run('end the call', outcomeOf(this.#ticks), this.#ticks * TICKS_EVERY_MS + LONGEST_MS);
  }

  #run<T>(what: string, body: string, limitMs = LONGEST_MS): Promise<T> {
    return within(limitMs, what, this.#engine.run<T>(body));
  }
}
