import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type Project } from '@playwright/test';
import { chromiumArgs, findTestBrowsers } from './scripts/lib/chromium.mjs';
import { findBrowser } from './harness/page/findBrowser.ts';
import { readBrowserName } from './harness/page/browserName.ts';
import { freePort } from './scripts/lib/freePort.mjs';

// This file is read once more by each worker: what is decided here is handed down in the environment.
const { env } = process;
const givenSite = env.REPRISE_SITE;
env.REPRISE_SITE ??= join(tmpdir(), `reprise-site-${randomUUID()}`);
env.REPRISE_PORT ??= String(await freePort());
if (env.REPRISE_CHROMIUM === undefined) {
  const browsers = await findTestBrowsers({ mayInstall: false });
  if (browsers.kind === 'none') throw new Error(`${browsers.says}\n\`npm test\` installs one where it can.`);
  Object.assign(env, browsers.env);
}
// A spec with launch options of its own would get workers and browsers of its own.
const args = [...chromiumArgs, '--host-resolver-rules=MAP elsewhere.example 127.0.0.1'];
const launch = (path: string | undefined) => ({
  testIgnore: '**/engines.spec.ts',
  use: { launchOptions: { ...(path !== undefined && { executablePath: path }), args } },
});

const chromiumProjects = (): Project[] =>
  env.REPRISE_WHOLE_CHROMIUM === undefined
    ? [{ name: 'chromium', ...launch(env.REPRISE_CHROMIUM) }]
    : [
        { name: 'shell', grepInvert: /@chromium/, ...launch(env.REPRISE_CHROMIUM) },
        // Few tests: a second worker would start a second browser for two of them.
        { name: 'chromium', grep: /@chromium/, workers: 1, ...launch(env.REPRISE_WHOLE_CHROMIUM) },
      ];

/** `REPRISE_ENGINE=firefox`: what matters most (`@engines`) in that one; `REPRISE_ENGINE_ALL`: all of reloads and page deaths. */
async function projectOf(engine: string): Promise<Project> {
  const browserName = readBrowserName(engine);
  const found = await findBrowser(browserName);
  if (found.kind === 'none') throw new Error(found.says);
  return {
    name: engine,
    testMatch: ['engines.spec.ts', 'mcpWire.spec.ts', 'reload.spec.ts', 'survival.spec.ts'],
    grep: env.REPRISE_ENGINE_ALL === undefined ? /@engines/ : /(engines|reload|survival)\.spec|@engines/,
    // Only Chromium has CDP, and a page that crashes its tab.
    grepInvert: /@chromium|@cdp|@crash/,
    use: { browserName, launchOptions: found.launch },
  };
}

const serve = `node scripts/serve.mjs --port ${env.REPRISE_PORT} --folder "${env.REPRISE_SITE}"`;
const url = `http://localhost:${env.REPRISE_PORT}/`;

export default defineConfig({
  testDir: 'e2e/specs',
  // Vitest has the rest.
  testMatch: '**/*.spec.ts',
  // A run clears its folder at the start: one that is named apart may go on beside another.
  outputDir: `test-results/${env.REPRISE_RESULTS ?? 'latest'}`,
  fullyParallel: true,
  // One more than the smallest machine has cores: a test waits for its server and its tools for a third of its time.
  workers: 3,
  retries: 0,
  // Limits for what hangs, not measures of what is slow: a busy machine needs many times what a quiet one does.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  globalTimeout: 40 * 60_000,
  forbidOnly: Boolean(env.CI),
  // `npm test` shows this output where a test has failed: what failed, not the hundreds that did not.
  reporter: env.REPRISE_REPORT ? [['dot'], ['json', { outputFile: env.REPRISE_REPORT }]] : 'list',
  use: {
    baseURL: url,
    // Below the limit of a test, so that what hangs is named with its line.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    browserName: 'chromium',
    // The worker keeps the whole site five seconds after a page is there, which takes a seventh of the time of a test.
    // A spec of the demo, or of what the worker does, allows it.
    serviceWorkers: 'block',
    // A trace takes a quarter of the time of a test: asked for when one is looked into.
    trace: env.REPRISE_TRACE === undefined ? 'off' : 'retain-on-failure',
  },
  projects: env.REPRISE_ENGINE === undefined ? chromiumProjects() : [await projectOf(env.REPRISE_ENGINE)],
  webServer: {
    // By itself a run builds its own site, so that it never tests an old one.
    command: givenSite === undefined ? `${serve} --build` : serve,
    url,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
