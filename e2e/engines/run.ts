/**
 * `npm run engines [-- --rounds 10 --only chromium,firefox]`: reloads in the middle of a call, in Chromium and in whatever
 * stock Firefox and WebKitGTK are installed. Fails if one of them loses something or takes more than 3 times as long as
 * Chromium. The engines take turns, so that a busy moment of the machine is one of all of them.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../bench/bench.ts';
import { openSite } from '../../harness/page/site.ts';
import { errorMessage } from '../../src/base/format.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { diagnoseBlockedHeaders } from './blockedHeaders.ts';
import { startChromium } from './chromium.ts';
import { Missing, type Engine, type Tab } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { ReloadStory, type Outcome } from './stories.ts';
import { startWebkit } from './webkit.ts';
import { within } from './within.ts';

const SLOWEST = 3;
const STAY_MS = 300;
const DIAGNOSIS_MS = 60_000;
const STARTS = { chromium: startChromium, firefox: startFirefox, webkit: startWebkit };
/**
 * A refused request is no fault of the page. The other line is written by Firefox for every streaming response of a service
 * worker whose page is left, also if the worker has ended the stream before: no code of the worker prevents it.
 */
const EXPECTED = /Failed to load resource|A ServiceWorker intercepted the request and encountered/;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, only: { type: 'string' } },
});
const rounds = Number(values.rounds);
const wanted = values.only?.split(',') ?? Object.keys(STARTS);

const site = await openSite();
const target = await startTarget('resumable');
const STORIES = {
  'over HTTP': `await reprise.connect(${JSON.stringify(target.url)})`,
  demo: `[...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Open the demo')).click();`,
};

interface Runner {
  readonly engine: Engine;
  readonly profile: string;
  readonly tab: Tab;
  readonly problems: string[];
  story?: ReloadStory;
  outcome?: Outcome;
  /** Before headers are blocked on purpose. */
  console?: readonly string[];
}

for (const [name, connect] of Object.entries(STORIES)) {
  const runners = await startEngines();
  const each = (work: (runner: Runner) => Promise<void>) =>
    Promise.all(runners.map((one) => attempt(one, work)));
  const inTurn = async (work: (runner: Runner) => Promise<void>) => {
    for (const runner of runners) await attempt(runner, work);
  };
  try {
    await inTurn(async (runner) => {
      runner.story = await ReloadStory.begin(runner.tab, connect);
    });
    for (let round = 0; round < rounds; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, STAY_MS));
      await inTurn(async ({ story }) => story?.reload());
    }
    await each(async (runner) => {
      const outcome = await runner.story?.end();
      if (outcome) runner.outcome = outcome;
      runner.console = [...runner.engine.console];
    });
    await inTurn(async ({ tab, problems }) => {
      const diagnosis = diagnoseBlockedHeaders(tab, site.url);
      const problem = await within(DIAGNOSIS_MS, 'explain blocked headers', diagnosis);
      if (problem !== undefined) problems.push(problem);
    });
    const control = runners.find(({ engine }) => engine.name === 'Chromium');
    for (const runner of runners) report(runner, name, control?.story?.backMs ?? []);
  } finally {
    await Promise.all(runners.map(({ engine }) => engine.close()));
    for (const { profile } of runners) await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
await target.close();
await site.close();

async function startEngines(): Promise<readonly Runner[]> {
  const runners: Runner[] = [];
  for (const [name, start] of Object.entries(STARTS)) {
    if (!wanted.includes(name)) continue;
    const profile = await mkdtemp(join(tmpdir(), `reprise-${name}-`));
    try {
      const engine = await start(profile);
      runners.push({ engine, profile, tab: await engine.open(site.url), problems: [] });
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      console.log(`skip  ${name}: ${error.message}`);
    }
  }
  return runners;
}

/** What goes wrong in one engine is its own: the others go on. */
async function attempt(runner: Runner, work: (runner: Runner) => Promise<void>): Promise<void> {
  if (runner.problems.length > 0) return;
  try {
    await work(runner);
  } catch (error) {
    runner.problems.push(errorMessage(error));
  }
}

function report(runner: Runner, name: string, control: readonly number[]): void {
  const { engine, story, outcome, console: all = engine.console } = runner;
  const backMs = story?.backMs ?? [];
  // Round by round: both had the same moment of the machine.
  const times = median(backMs.map((ms, round) => ms / (control[round] ?? NaN)));
  const lines = all.filter((line) => !EXPECTED.test(line));
  const problems = [
    ...runner.problems,
    ...(outcome ? problemsOf(outcome) : []),
    ...(times > SLOWEST ? [`more than ${SLOWEST} times as long as Chromium`] : []),
    ...(lines.length > 0 ? [`${lines.length} lines in the console, first: ${lines[0] ?? ''}`] : []),
  ];
  if (problems.length > 0) process.exitCode = 1;
  console.log(
    [
      `${problems.length === 0 ? 'ok  ' : 'FAIL'}  ${engine.name} ${engine.version}, ${name}: ` +
        `back after ${median(backMs).toFixed(0)} ms (median of ${backMs.length}, ${times.toFixed(1)} × Chromium), ` +
        `${Math.max(...backMs).toFixed(0)} ms (worst)`,
      ...problems,
    ].join('; '),
  );
}

function problemsOf({ calls, wrongTicks, broken }: Outcome): readonly string[] {
  return [
    ...calls.filter((name) => name !== 'settled').map((name) => `a call is ${name}`),
    ...(wrongTicks === 0 ? [] : [`${wrongTicks} ticks missing or doubled`]),
    ...(broken === 0 ? [] : [`${broken} broken streams stored`]),
  ];
}
