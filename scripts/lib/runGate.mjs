import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { countTests, format, ONE_FAILED, ONE_PASSED } from './count.mjs';
import { listFailures } from './failures.mjs';
import { ROOT } from './paths.mjs';
import { runNode } from './run.mjs';
import { hashOfFiles, PassedGates } from './unchanged.mjs';

/** @typedef {import('./gates.mjs').Gate} Gate */
/** @typedef {import('./count.mjs').Count} Count */

/**
 * @typedef {object} Context
 * @property {string} reports a folder for the reports of the test runners
 * @property {boolean} verbose show all output as it comes
 * @property {Record<string, string>} env
 */

/** The output goes through a pipe; whether a terminal is at its other end is known only here. */
const COLOURS = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
/** For what hangs: Playwright has a shorter limit of its own, and then says which test it was. */
const GATE_TIMEOUT_MS = 45 * 60_000;
const STILL_RUNNING_MS = 60_000;

const passed = new PassedGates(ROOT);

/**
 * Runs a gate, says how it went, and shows its output if it failed.
 *
 * @param {Gate} gate
 * @param {Context} context
 * @returns {Promise<Count>}
 */
export async function runGate(gate, { reports, verbose, env }) {
  const hash = gate.isStatic ? hashOfFiles(ROOT) : undefined;
  if (passed.has(gate.name, hash)) {
    say(gate, ONE_PASSED, 'unchanged since it passed');
    return ONE_PASSED;
  }
  if (gate.clears !== undefined) await rm(join(ROOT, gate.clears), { recursive: true, force: true });
  const reportFile = join(reports, `${gate.name}.json`);
  const command = [...gate.command()];
  if (gate.counts === 'vitest') command.push(`--outputFile.json=${reportFile}`);

  const startedAt = performance.now();
  const stillRunning = setInterval(() => {
    console.log(`      ${gate.name} has been running for ${seconds(performance.now() - startedAt)}`);
  }, STILL_RUNNING_MS);
  const { code, output, durationMs } = await runNode(command, {
    // Playwright decides for itself, and for its children.
    env: { ...(gate.counts !== 'playwright' && COLOURS), ...env, REPRISE_REPORT: reportFile },
    show: verbose,
    timeoutMs: GATE_TIMEOUT_MS,
  });
  clearInterval(stillRunning);

  const report = await readFile(reportFile, 'utf8').catch(() => undefined);
  const count = countGate(gate, report, code);
  say(gate, count, seconds(durationMs).padStart(8) + (gate.counts ? `  ${format(count)}` : ''));
  // First what failed, by name: a log that is cut short still says it.
  if (gate.counts) for (const failure of listFailures(gate.counts, report)) sayFailure(failure);
  if (count.failed > 0 && !verbose) console.log(indent(output));
  if (count.failed === 0) passed.add(gate.name, hash);
  return count;
}

/**
 * A gate that cannot be run has failed: silence must not look like success.
 *
 * @param {Gate} gate
 * @param {string} why
 * @param {string} [details]
 * @returns {Count}
 */
export function refuseGate(gate, why, details) {
  say(gate, ONE_FAILED, `not run: ${why}`);
  if (details !== undefined) console.log(indent(details));
  return ONE_FAILED;
}

/**
 * @param {Gate} gate
 * @param {string | undefined} report
 * @param {number} code
 */
function countGate({ counts }, report, code) {
  if (!counts) return code === 0 ? ONE_PASSED : ONE_FAILED;
  return countTests(counts, report, code);
}

/** @param {import('./failures.mjs').Failure} failure */
function sayFailure({ title, error }) {
  console.log(`      failed: ${title}\n${error.replace(/^/gm, '        ')}`);
}

/**
 * @param {Gate} gate
 * @param {Count} count
 * @param {string} how
 */
function say({ name, tool }, { failed }, how) {
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '}  ${name.padEnd(13)}${tool.padEnd(19)}${how}`);
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {string} text */
const indent = (text) => text.trimEnd().replace(/^/gm, '      ');
