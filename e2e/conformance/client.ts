/**
 * The public conformance suite against the real page in Chromium: every scored client scenario of both revisions, and three
 * beside. A revision or scenarios can be named, and run again and again: `client.ts 2026-07-28 tools_call --repeat 30`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { startCorsProxy } from './corsProxy.ts';
import { openTaskServer } from './taskServer.ts';
import { carryOut } from './pageDriver.ts';
import { printResult, runScenario, type ScenarioResult } from './runScenario.ts';
import { installSuite, scoredScenarios } from './suite.ts';

const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
const BESIDE: readonly (readonly [scenario: string, revision: string])[] = [
  ['auth/2025-03-26-oauth-metadata-backcompat', '2025-03-26'],
  ['auth/2025-03-26-oauth-endpoint-fallback', '2025-03-26'],
  ['json-schema-2020-12-preservation', '2025-11-25'],
];
const CLIENT_TIMEOUT_MS = 55_000;

interface Round {
  readonly revision: string;
  readonly what: string;
  readonly runs: readonly (readonly [scenario: string, revision: string])[];
}

const suite = installSuite();
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { repeat: { type: 'string', default: '1' } },
});
const revisions = REVISIONS.filter((revision) => named.includes(revision));
const only = named.filter((name) => !revisions.some((revision) => revision === name));
const isWanted = ([scenario]: readonly [string, string]) => only.length === 0 || only.includes(scenario);
const rounds: readonly Round[] = [
  ...REVISIONS.map((revision) => ({
    revision,
    what: 'scored',
    runs: scored(revision).map((scenario) => [scenario, revision] as const),
  })),
  { revision: REVISIONS[0], what: 'beside', runs: BESIDE },
]
  .filter(({ revision }) => revisions.length === 0 || revisions.some((one) => one === revision))
  .map((round) => ({ ...round, runs: repeated(round.runs.filter(isWanted)) }));

function repeated(runs: Round['runs']): Round['runs'] {
  return Array.from({ length: Number(values.repeat) }, () => runs).flat();
}

function scored(revision: string): readonly string[] {
  const scenarios = scoredScenarios(suite, 'Client', revision);
  if (scenarios.length === 0) throw new Error(`The suite lists no client scenarios for ${revision}.`);
  return scenarios;
}

const found = await findChromium({ mayInstall: false });
if (found.kind === 'none') throw new Error(found.says);
const folder = await mkdtemp(join(tmpdir(), 'reprise-conformance-'));
await build({ logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
const site = await serveStatic({ folder });
const proxy = await startCorsProxy();
const browser = await chromium.launch({
  executablePath: found.path,
  args: [...chromiumArgs, `--proxy-server=${proxy.address}`, '--proxy-bypass-list=<-loopback>'],
});
const taskServer = await openTaskServer(async (task) => {
  const context = await browser.newContext();
  try {
    await carryOut(await context.newPage(), site.url, task);
  } finally {
    await context.close();
  }
});

const preload = new URL('./loopbackOnly.mjs', import.meta.url).href;
const env = { ...process.env, NODE_OPTIONS: `--import "${preload}"` };
const lines: string[] = [];
let [passed, failed] = [0, 0];
try {
  for (const { revision, what, runs } of rounds) {
    const results: ScenarioResult[] = [];
    for (const [scenario, spoken] of runs) {
      const timeout = ['--timeout', String(CLIENT_TIMEOUT_MS)];
      const args = ['client', '--command', taskServer.command, '--spec-version', spoken, ...timeout];
      const result = await runScenario(suite, scenario, args, env);
      printResult(result);
      results.push(result);
    }
    if (runs.length === 0) continue;
    const good = results.filter(({ verdict }) => verdict === 'pass').length;
    lines.push(`client ${revision}: ${good} of ${runs.length} ${what}`);
    passed += good;
    failed += runs.length - good;
  }
} finally {
  taskServer.close();
  await browser.close();
  await proxy.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
