// Whatever a server sends or a log holds: no uncaught error, no page that doesn't start, no frozen page, no lost result,
// and other servers go on working. The scripts come from fixed seeds; REPRISE_FUZZ_SEED adds those of another one.
import { expect, type BrowserContext } from '@playwright/test';
import { COUNTEREXAMPLES } from '../fuzz/counterexamples.ts';
import { fuzz, scriptsOf, type Report } from '../fuzz/fuzz.ts';
import { runScript, type Bench } from '../fuzz/fuzzPage.ts';
import type { Script } from '../fuzz/script.ts';
import { test as base } from './inspector.ts';

/** No script is begun after this. */
const WORK_MS = 10_000;
const SEEDS = [
  23,
  ...(process.env['REPRISE_FUZZ_SEED'] === undefined ? [] : [Number(process.env['REPRISE_FUZZ_SEED'])]),
];

const test = base.extend<{ bench: Bench }>({
  bench: async ({ browser, baseURL, target }, use) => {
    const site = baseURL ?? '';
    const contexts: BrowserContext[] = [];
    const { url } = await target('resumable', { allowedOrigins: [new URL(site).origin] });
    await use({
      goodUrl: url,
      site,
      newContext: async () => {
        const context = await browser.newContext();
        contexts.push(context);
        return context;
      },
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

async function play(bench: Bench, scripts: Iterable<Script>, workMs: number): Promise<Report> {
  const end = performance.now() + workMs;
  return fuzz({
    bench,
    scripts,
    goesOn: () => performance.now() < end,
    say: (text) => {
      console.log(text);
    },
  });
}

function expectNothingFound({ counterexamples, notSeenAgain, scripts, fallbacks }: Report): void {
  expect(scripts, 'scripts that were played').toBeGreaterThan(0);
  for (const finding of notSeenAgain) console.log(`seen once: ${JSON.stringify(finding)}`);
  if (fallbacks.length > 0) console.log(`shown as raw text: ${[...new Set(fallbacks)].join(' | ')}`);
  expect(counterexamples, JSON.stringify(counterexamples, undefined, 2)).toEqual([]);
}

test('a script without harm reaches every part of the app', async ({ bench }) => {
  const harmless = { at: '/nowhere/at/all', odd: 'null' } as const;
  const { findings, reached } = await runScript(bench, {
    kind: 'session',
    edits: [
      { message: 'item tool', copy: 0, ...harmless },
      { message: 'item resource', copy: 0, ...harmless },
      { message: 'item template', copy: 0, ...harmless },
      { message: 'item prompt', copy: 0, ...harmless },
      { message: 'result tools/call', copy: 0, ...harmless },
      { message: 'result resources/read', copy: 0, ...harmless },
      { message: 'message progress', copy: 0, ...harmless },
      { message: 'message elicitation', copy: 0, ...harmless },
      { message: 'answer error', copy: 0, ...harmless },
    ],
  });
  expect(findings).toEqual([]);
  expect(reached).toMatchObject({ connected: 1, calls: 4, tools: 5 });
  expect(reached['inbox'], 'cards in the inbox').toBeGreaterThan(0);
  expect(reached['sections'], 'items of the other sections').toBeGreaterThan(3);
  expect(reached['timeline'], 'entries').toBeGreaterThan(9);
});

test('what broke the app once does not break it again', { tag: '@long' }, async ({ bench }) => {
  const report = await play(bench, COUNTEREXAMPLES, Infinity);
  expectNothingFound(report);
  expect(report.fallbacks, 'parts that are shown as raw text').toEqual([]);
});

for (const seed of SEEDS) {
  test(`mutated servers and logs of seed ${seed}`, { tag: '@long' }, async ({ bench }) => {
    test.slow();
    expectNothingFound(await play(bench, scriptsOf(seed), WORK_MS));
  });
}
