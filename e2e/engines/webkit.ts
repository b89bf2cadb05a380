/** A stock WebKitGTK, by W3C WebDriver: `WebKitWebDriver` and its MiniBrowser, on a display of its own. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import { Missing, type Engine } from './engine.ts';
import { start } from './process.ts';

const LIBRARIES = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec', '/usr/lib64'];
const SCRIPT_MS = 120_000;

export async function startWebkit(): Promise<Engine> {
  const binary = findMiniBrowser();
  const display = await start(['Xvfb'], ['-displayfd', '1', '-screen', '0', '1280x900x24'], /^(\d+)$/);
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${display.match[1] ?? ''}`,
      // Without a GPU it draws nothing, and as root it has no sandbox.
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    },
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base);
  const session = await send(base, 'session', {
    capabilities: {
      alwaysMatch: {
        browserName: 'MiniBrowser',
        pageLoadStrategy: 'eager',
        timeouts: { script: SCRIPT_MS },
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      },
    },
  });
  const address = `${base}/session/${stringField(session, 'sessionId') ?? ''}`;
  return {
    name: 'WebKitGTK',
    version: stringField(objectField(session, 'capabilities'), 'browserVersion') ?? '',
    // W3C WebDriver does not tell what the console says.
    console: undefined,
    goto: async (url) => void (await send(address, 'url', { url })),
    async reload() {
      await sendRaw(address, 'execute/sync', { script: 'window.isOld = true', args: [] });
      await send(address, 'refresh', {});
      // The driver may return before the new document is there, and a script that waits in the old one never ends.
      while (!(await isReloaded(address))) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async run<T>(body: string) {
      const script = `const done = arguments[arguments.length - 1];
        (async () => { ${body} })().then(
          (value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })));`;
      const { value } = await sendRaw(address, 'execute/async', { script, args: [] });
      const answer = JSON.parse(String(value)) as { value?: T; error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as T;
    },
    async close() {
      await fetch(address, { method: 'DELETE' }).catch(() => undefined);
      driver.kill();
      await display.stop();
    },
  };
}

function findMiniBrowser(): string {
  for (const library of LIBRARIES.filter((folder) => existsSync(folder))) {
    for (const name of readdirSync(library).filter((one) => one.startsWith('webkit'))) {
      const binary = join(library, name, 'MiniBrowser');
      if (existsSync(binary)) return binary;
    }
  }
  throw new Missing('WebKitGTK’s MiniBrowser isn’t installed (Debian: webkit2gtk-driver).');
}

async function untilReady(base: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isReady = await fetch(`${base}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Missing('WebKitWebDriver doesn’t listen (Debian: webkit2gtk-driver).');
}

async function isReloaded(address: string): Promise<boolean> {
  const script = "return window.isOld !== true && document.readyState !== 'loading'";
  const { value } = await sendRaw(address, 'execute/sync', { script, args: [] });
  return value === true;
}

async function send(base: string, command: string, body: object): Promise<JsonObject> {
  return objectField(await sendRaw(base, command, body), 'value') ?? {};
}

async function sendRaw(base: string, command: string, body: object): Promise<{ value: unknown }> {
  const response = await fetch(`${base}/${command}`, { method: 'POST', body: JSON.stringify(body) });
  const answer = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${command}: ${stringField(answer.value, 'message') ?? response.status}`);
  return answer;
}
