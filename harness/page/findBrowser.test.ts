import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { BrowserHost } from './browserHost.ts';
import { findBrowser } from './findBrowser.ts';

// Read when Playwright is loaded: a folder in which it has no browser of its own.
vi.hoisted(() => vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', '/nonexistent'));

afterEach(() => {
  vi.unstubAllEnvs();
});

test('a browser that is not installed is named with the command that installs it', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  for (const name of ['firefox', 'webkit'] as const)
    await expect(
      BrowserHost.start({ browser: name, headed: false, withoutCors: false }),
    ).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining(`npx playwright install ${name}`),
    });
});

test('a Firefox of the system is driven by WebDriver BiDi, and asks a proxy for loopback too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-path-'));
  await writeFile(join(folder, 'firefox'), '');
  vi.stubEnv('PATH', folder);
  expect(await findBrowser('firefox')).toEqual({
    kind: 'use',
    launch: {
      channel: 'moz-firefox',
      executablePath: join(folder, 'firefox'),
      firefoxUserPrefs: { 'network.proxy.allow_hijacking_localhost': true },
    },
  });
  await rm(folder, { recursive: true });
});

test('only Chromium can be told not to enforce CORS', async () => {
  await expect(
    BrowserHost.start({ browser: 'firefox', headed: false, withoutCors: true }),
  ).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining('--allow-no-cors') });
});
