/** The app in a tab of any engine, through its public door. */
import { errorMessage } from '../../src/base/format.ts';
import type { Tab } from './engine.ts';
import { within } from './within.ts';

const LONGEST_MS = 60_000;

/** What a page knows of a call. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly received: number;
  readonly replayed: number;
  readonly result?: object;
  readonly why?: string;
}

const HELPERS = `
  const until = async (test) => {
    for (const from = Date.now(); !(await test()); await new Promise((resolve) => setTimeout(resolve, 10)))
      if (Date.now() - from > ${LONGEST_MS}) throw new Error('Waited too long for ' + test + ' ' + JSON.stringify(window.reprise?.state()) +
        [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => ' ' + textContent).join(''));
  };
  const callOf = (id) => reprise.calls().find((call) => call.id === id);
`;
/** A page is loaded before its script has run. */
const READY = `await until(() => 'reprise' in window); await reprise.ready;`;
const UNTIL_CONNECTED = `
  ${READY}
  await until(() => reprise.state().name === 'connected');
`;

export class AppPage {
  readonly tab: Tab;
  /** From the start of each reload until the page was connected again. */
  readonly backMs: number[] = [];

  constructor(tab: Tab) {
    this.tab = tab;
  }

  async connect(url: string): Promise<void> {
    await this.askToConnect(url);
    await this.run('be connected', UNTIL_CONNECTED);
  }

  /** @returns the state that this leads to, as JSON */
  askToConnect(url: string): Promise<string> {
    return this.run(
      'connect',
      `${READY} return JSON.stringify(await reprise.connect(${JSON.stringify(url)}))`,
    );
  }

  async openDemo(): Promise<void> {
    await this.run(
      'open the demo',
      `${READY}
       const demo = () => [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Open the demo'));
       await until(demo); demo().click(); ${UNTIL_CONNECTED}`,
    );
  }

  /** Asked once more, because a page that is about to be replaced takes the question with it. */
  untilConnected(): Promise<void> {
    const ask = (): Promise<void> => this.run('be connected again', UNTIL_CONNECTED);
    return ask().catch(ask);
  }

  call(tool: string, args: object): Promise<string> {
    return this.run('call', `return reprise.call(${JSON.stringify(tool)}, ${JSON.stringify(args)})`);
  }

  /** Waits until a call has so many messages, and a page that comes back would know of them. */
  untilReceived(id: string, messages: number): Promise<void> {
    const known = `callOf('${id}')?.received >= ${messages}`;
    return this.run('receive', `await until(() => ${known}); await reprise.stored();`);
  }

  untilEnded(id: string): Promise<Call> {
    return this.run(
      'end',
      `await until(() => callOf('${id}')?.settledAt !== undefined); return callOf('${id}')`,
    );
  }

  /** What is wrong with a countdown: it must have ended with every tick once, in order. */
  async problemsOf(id: string, ticks: number): Promise<readonly string[]> {
    const { name, why = '' } = await this.untilEnded(id);
    if (name !== 'settled') return [`a call is ${name}: ${why}`];
    const found = await this.run<readonly number[]>(
      'read the ticks',
      `const entries = await reprise.entries();
       return entries.filter(({ callId, method }) => callId === '${id}' && method === 'notifications/progress')
         .map(({ message }) => message.params.progress)`,
    );
    // What a resume brings again is dropped by the page: with more calls than connections, that happens on a busy machine.
    const isWhole = found.join() === Array.from({ length: ticks }, (_, at) => at + 1).join();
    return isWhole ? [] : [`ticks ${found.join()} instead of 1 to ${ticks}`];
  }

  /** Entries that say that a stream broke: the page was being left, and must not store that. */
  brokenStreams(): Promise<number> {
    const isBroken = `({ kind, how }) => kind === 'stream-end' && how === 'broken'`;
    return this.run('read the log', `return (await reprise.entries()).filter(${isBroken}).length`);
  }

  async reload(): Promise<void> {
    const from = performance.now();
    await within(LONGEST_MS, 'reload', this.tab.reload());
    await this.untilConnected();
    this.backMs.push(performance.now() - from);
  }

  /** `what`: for the message if it fails or takes too long. */
  async run<T>(what: string, body: string): Promise<T> {
    try {
      return await within(2 * LONGEST_MS, what, this.tab.run<T>(`${HELPERS} ${body}`));
    } catch (error) {
      throw new Error(`Can't ${what}. ${errorMessage(error)}`, { cause: error });
    }
  }
}
