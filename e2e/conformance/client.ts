/** The public conformance suite against the real page in Chromium: every scored client scenario, and three beside. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { chromiumArgs, findChromium } from '../../scripts/lib/chromium.mjs';
import { serveStatic } from '../../scripts/lib/staticServer.mjs';
import { startCorsProxy } from './corsProxy.ts';
import { openDesk } from './desk.ts';
import { carryOut } from './person.ts';
import { printResult, runScenario, type ScenarioResult } from './runScenario.ts';
import { installSuite, scoredScenarios } from './suite.ts';

const REVISION = '2025-11-25';
const BESIDE: readonly (readonly [scenario: string, revision: string])[] = [
  ['auth/2025-03-26-oauth-metadata-backcompat', '2025-03-26'],
  ['auth/2025-03-26-oauth-endpoint-fallback', '2025-03-26'],
  ['json-schema-2020-12-preservation', REVISION],
];
const CLIENT_TIMEOUT_MS = 55_000;

const suite = installSuite();
const scored = scoredScenarios(suite, 'Client', REVISION);
const only = process.argv.slice(2);
const wanted = [...scored.map((scenario) => [scenario, REVISION] as const), ...BESIDE].filter(
  ([scenario]) => only.length === 0 || only.includes(scenario),
);

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
const desk = await openDesk(async (task) => {
  const context = await browser.newContext();
  try {
    await carryOut(await context.newPage(), site.url, task);
  } finally {
    await context.close();
  }
});

const preload = new URL('./loopbackOnly.mjs', import.meta.url).href;
const env = { ...process.env, NODE_OPTIONS: `--import "${preload}"` };
const results: ScenarioResult[] = [];
try {
  for (const [scenario, revision] of wanted) {
    const result = await runScenario(
      suite,
      scenario,
      [
        'client',
        '--command',
        desk.command,
        '--spec-version',
        revision,
        '--timeout',
        String(CLIENT_TIMEOUT_MS),
      ],
      env,
    );
    printResult(result);
    results.push(result);
  }
} finally {
  desk.close();
  await browser.close();
  await proxy.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
}

const passed = (names: readonly string[]) =>
  results.filter(({ scenario, verdict }) => names.includes(scenario) && verdict === 'pass').length;
const beside = BESIDE.map(([scenario]) => scenario);
console.log(
  `\nclient ${REVISION}: ${passed(scored)} of ${scored.length} scored, ${passed(beside)} of ${beside.length} beside`,
);
const total = results.filter(({ verdict }) => verdict === 'pass').length;
console.log(`${total} passed, ${results.length - total} failed`);
if (total < wanted.length || scored.length === 0) process.exitCode = 1;
