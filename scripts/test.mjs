// npm test: every gate, from a fresh clone. `npm test -- --only unit,lint` runs a part, `--verbose` shows all output.
// `npm run test:all` is the same with the long browser tests.
import './lib/requireNode.mjs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findTestBrowsers } from './lib/chromium.mjs';
import { format, NONE, sum } from './lib/count.mjs';
import { findEngines } from './lib/engines.mjs';
import { SEQUENTIAL_GATES, PARALLEL_GATES } from './lib/gates.mjs';
import { inParallel } from './lib/inParallel.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';
import { DIST } from './lib/paths.mjs';
import { refuseGate, runGate } from './lib/runGate.mjs';

/** @typedef {import('./lib/gates.mjs').Gate} Gate */

function readOptions() {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      verbose: { type: 'boolean', default: false },
    },
  });
  const all = [...PARALLEL_GATES, ...SEQUENTIAL_GATES].map(({ name }) => name);
  const only = values.only?.flatMap((list) => list.split(',')) ?? all;
  const unknown = only.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Unknown gate "${unknown}". Available: ${all.join(', ')}.`);
  }
  // What a chosen gate needs is run too.
  const needed = SEQUENTIAL_GATES.filter(({ name }) => only.includes(name)).map(({ needs }) => needs);
  const isChosen = (/** @type {Gate} */ { name }) => only.includes(name) || needed.includes(name);
  return { isChosen, withLong: values.all, verbose: values.verbose };
}

/** The tag of browser tests that take too long for `npm test`. */
const LONG = '@long';

/**
 * @typedef {import('./lib/runGate.mjs').Context & { withLong: boolean }} Context
 * @param {Gate} gate
 * @param {Context} context
 */
async function runInBrowser(gate, { withLong, ...context }) {
  const browsers = await findTestBrowsers({ mayInstall: true });
  if (browsers.kind === 'none') return refuseGate(gate, 'Chromium not found', browsers.says);
  console.log(`      Chromium: ${browsers.says}`);
  const env = {
    ...context.env,
    ...browsers.env,
    REPRISE_SITE: DIST,
    REPRISE_RESULTS: 'npm-test',
  };
  if (withLong) return runGate(gate, { ...context, env });
  const command = () => [...gate.command(), '--grep-invert', LONG];
  const count = await runGate({ ...gate, command }, { ...context, env });
  console.log(`      Skipped the browser tests tagged ${LONG}. To run them too: npm run test:all`);
  return count;
}

/**
 * What every engine must do, in each one that is installed beside Chromium: both at the same time, as their tests wait for
 * most of their time.
 *
 * @param {Context} context
 */
async function runInEngines({ withLong, ...context }) {
  const engines = await findEngines();
  for (const { title, says } of engines) console.log(`      ${title}: ${says}`);
  const counts = await inParallel(engines, engines.length, async ({ gate, env }) =>
    gate
      ? runGate(gate, {
          ...context,
          env: { ...context.env, REPRISE_SITE: DIST, ...env, ...(withLong && { REPRISE_ENGINE_ALL: 'yes' }) },
        })
      : NONE,
  );
  return sum(counts);
}

/** @param {Gate} gate */
function runnerOf({ name, counts }) {
  if (name === 'engines')
    return (/** @type {Gate} */ _gate, /** @type {Context} */ context) => runInEngines(context);
  return counts === 'playwright' ? runInBrowser : runGate;
}

/** @param {Context & { isChosen: (gate: Gate) => boolean }} context */
async function runGates({ isChosen, ...context }) {
  const failed = new Set();
  const run = async (/** @type {Gate} */ gate) => {
    const count = failed.has(gate.needs)
      ? refuseGate(gate, `${String(gate.needs)} failed`)
      : await runnerOf(gate)(gate, context);
    if (count.failed > 0) failed.add(gate.name);
    return count;
  };
  const atATime = Math.min(2, availableParallelism());
  const counts = await inParallel(PARALLEL_GATES.filter(isChosen), atATime, run);
  counts.push(...(await inParallel(SEQUENTIAL_GATES.filter(isChosen), 1, run)));
  return sum(counts);
}

await main(async () => {
  const options = readOptions();
  await ensureInstalled();
  const reports = await mkdtemp(join(tmpdir(), 'reprise-test-'));
  try {
    const total = await runGates({ ...options, reports, env: {} });
    console.log(`\n${format(total)}`);
    return total.failed > 0 ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
});
