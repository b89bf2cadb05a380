// npm test: every gate, from a fresh clone. `npm test -- --only unit,lint` runs a part, `--verbose` shows all output.
import './lib/requireNode.mjs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium } from './lib/chromium.mjs';
import { countTests, format, ONE_FAILED, ONE_PASSED, sum } from './lib/count.mjs';
import { RUNNING_GATES, STATIC_GATES } from './lib/gates.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';
import { DIST } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

/** @typedef {import('./lib/gates.mjs').Gate} Gate */
/** @typedef {import('./lib/count.mjs').Count} Count */

const GATE_TIMEOUT_MS = 14 * 60_000;
const STILL_RUNNING_MS = 60_000;

/** @returns {{ only: ReadonlySet<string> | undefined, verbose: boolean }} */
function readOptions() {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, verbose: { type: 'boolean', default: false } },
  });
  if (!values.only) return { only: undefined, verbose: values.verbose };

  const names = [...STATIC_GATES, ...RUNNING_GATES].map(({ name }) => name);
  const only = new Set(values.only.flatMap((list) => list.split(',')));
  for (const name of only) {
    if (!names.includes(name)) throw new Error(`There is no gate "${name}". There are: ${names.join(', ')}.`);
  }
  return { only, verbose: values.verbose };
}

/**
 * @param {Gate} gate
 * @param {{ reports: string, verbose: boolean, env: Record<string, string> }} context
 * @returns {Promise<Count>}
 */
async function runGate(gate, { reports, verbose, env }) {
  const report = join(reports, `${gate.name}.json`);
  const command = [...gate.command()];
  if (gate.counts === 'vitest') command.push(`--outputFile.json=${report}`);

  const startedAt = performance.now();
  const stillRunning = setInterval(() => {
    console.log(`      ${gate.name}: running for ${seconds(performance.now() - startedAt)}`);
  }, STILL_RUNNING_MS);
  const { code, output, durationMs } = await runNode(command, {
    env: { ...env, REPRISE_REPORT: report },
    show: verbose,
    timeoutMs: GATE_TIMEOUT_MS,
  });
  clearInterval(stillRunning);

  const count = gate.counts
    ? countTests(gate.counts, await readFile(report, 'utf8').catch(() => undefined), code)
    : code === 0
      ? ONE_PASSED
      : ONE_FAILED;
  report_(gate, count, seconds(durationMs));
  if (count.failed > 0 && !verbose) console.log(indent(output));
  return count;
}

/**
 * @param {Gate} gate
 * @param {Count} count
 * @param {string} note
 */
function report_(gate, count, note) {
  const detail = gate.counts ? `  ${format(count)}` : '';
  console.log(
    `${count.failed > 0 ? 'FAIL' : 'ok  '}  ${gate.name.padEnd(12)} ${gate.tool.padEnd(18)} ${note}${detail}`,
  );
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);

/** @param {string} text */
const indent = (text) => text.trimEnd().replace(/^/gm, '      ');

/**
 * @template T, R
 * @param {readonly T[]} items
 * @param {number} atATime
 * @param {(item: T) => Promise<R>} work
 */
async function inParallel(items, atATime, work) {
  const waiting = [...items];
  /** @type {R[]} */
  const results = [];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      results.push(await work(item));
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return results;
}

await main(async () => {
  const { only, verbose } = readOptions();
  const chosen = (/** @type {Gate} */ { name }) => only === undefined || only.has(name);
  const staticGates = STATIC_GATES.filter(chosen);
  const runningGates = RUNNING_GATES.filter(
    (gate) => chosen(gate) || RUNNING_GATES.some((other) => chosen(other) && other.needs === gate.name),
  );

  await ensureInstalled();
  const reports = await mkdtemp(join(tmpdir(), 'reprise-test-'));
  const context = { reports, verbose, env: /** @type {Record<string, string>} */ ({}) };
  const counts = await inParallel(staticGates, Math.min(2, availableParallelism()), (gate) =>
    runGate(gate, context),
  );

  /** @type {Set<string>} */
  const failed = new Set();
  for (const gate of runningGates) {
    /** @type {Count} */
    let count;
    if (gate.needs !== undefined && failed.has(gate.needs)) {
      count = ONE_FAILED;
      report_(gate, count, `not run: ${gate.needs} failed`);
    } else if (gate.counts === 'playwright') {
      const chromium = await findChromium({ mayInstall: true });
      if (chromium.kind === 'use') {
        console.log(`      Chromium: ${chromium.says}`);
        count = await runGate(gate, {
          ...context,
          env: { REPRISE_CHROMIUM: chromium.path, REPRISE_SITE: DIST },
        });
      } else {
        count = ONE_FAILED;
        report_(gate, count, 'not run: no Chromium');
        console.log(indent(chromium.says));
      }
    } else {
      count = await runGate(gate, context);
    }
    if (count.failed > 0) failed.add(gate.name);
    counts.push(count);
  }
  await rm(reports, { recursive: true, force: true });

  const total = sum(counts);
  console.log(`\n${format(total)}`);
  return total.failed > 0 ? 1 : 0;
});
