/** What every engine must do: come back from reloads quickly, lose nothing, store nothing of the way out. */
import type { Tab } from './engine.ts';
import { within } from './within.ts';

export interface Outcome {
  /** Entries that say that a stream broke: the page was being left, and must not store that. */
  readonly broken: number;
  /** How the calls ended that were running. */
  readonly calls: readonly string[];
  /** Ticks of those calls that did not come, or came more than once. */
  readonly wrongTicks: number;
}

const TICKS = 200;
const TICKS_EVERY_MS = 100;

const LONGEST_MS = 60_000;

const UNTIL_CONNECTED = `
  await reprise.ready;
  for (const from = Date.now(); reprise.state().name !== 'connected';) {
    if (Date.now() - from > ${LONGEST_MS}) throw new Error('Not connected: ' + JSON.stringify(reprise.state()));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
`;
const CALLS = `const calls = () => reprise.calls().filter(({ tool }) => tool === 'countdown');`;
/** A call that is open, and can be resumed. On a slow machine one ends before all reloads are done. */
const UNTIL_CALLED = `
  ${CALLS}
  const open = () => calls().find(({ settledAt }) => settledAt === undefined);
  if (!open()) await reprise.call('countdown', { ticks: ${TICKS}, intervalMs: ${TICKS_EVERY_MS} });
  while (open()?.received < 2) await new Promise((resolve) => setTimeout(resolve, 10));
`;
/** By words that need no filter: a page that has just come back has loaded nothing else. */
const OUTCOME = `
  ${CALLS}
  while (calls().some(({ settledAt }) => settledAt === undefined)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const entries = await reprise.entries();
  const wrongTicks = calls().map(({ id }) => {
    const progress = entries.filter(({ callId, method }) => callId === id && method === 'notifications/progress');
    const ticks = progress.map(({ message }) => message.params.progress);
    const right = new Set(ticks).size;
    return ${TICKS} - right + (ticks.length - right);
  });
  return {
    calls: calls().map(({ name }) => name),
    wrongTicks: wrongTicks.reduce((sum, wrong) => sum + wrong, 0),
    broken: entries.filter(({ kind, how }) => kind === 'stream-end' && how === 'broken').length,
  };
`;

/** One engine that is loaded again and again while a call counts. */
export class ReloadStory {
  readonly backMs: number[] = [];
  readonly #tab: Tab;

  private constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** @param connect a script that brings the server */
  static async begin(tab: Tab, connect: string): Promise<ReloadStory> {
    const story = new ReloadStory(tab);
    await story.#run('connect', `await reprise.ready; ${connect}`);
    await story.#run('be connected', UNTIL_CONNECTED);
    return story;
  }

  /** In the middle of a call. */
  async reload(): Promise<void> {
    await this.#run('call', UNTIL_CALLED);
    const from = performance.now();
    await within(LONGEST_MS, 'reload', this.#tab.reload());
    await this.#run('be connected again', UNTIL_CONNECTED);
    this.backMs.push(performance.now() - from);
  }

  end(): Promise<Outcome> {
    return this.#run('end the calls', OUTCOME, TICKS * TICKS_EVERY_MS + LONGEST_MS);
  }

  #run<T>(what: string, body: string, limitMs = LONGEST_MS): Promise<T> {
    return within(limitMs, what, this.#tab.run<T>(body));
  }
}
