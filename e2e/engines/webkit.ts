/**
 * A stock WebKitGTK. Playwright drives only its own WebKit, and `WebKitWebDriver` forgets its profile: a small browser
 * of GTK (webkitHost.py) has tabs, a profile, and pages that crash. Without a display it gets one of its own (Xvfb).
 */
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { hasWebkitGtk, SYSTEM_PYTHON } from '../../scripts/lib/otherBrowsers.mjs';
import { isObject } from '../../src/base/json.ts';
import { Missing, type Engine, type StartEngine, type Tab } from './engine.ts';
import { move } from './move.ts';
import { start } from './process.ts';

const HOST = fileURLToPath(new URL('webkitHost.py', import.meta.url));
const MISSING = 'WebKitGTK isn’t installed (Debian: python3-gi gir1.2-webkit2-4.1).';

export const startWebkit: StartEngine = async (profile) => {
  if (!(await hasWebkitGtk())) throw new Missing(MISSING);
  const display = await openDisplay();
  try {
    const host = await start([SYSTEM_PYTHON], [HOST, profile], /^ready (.*)$/, {
      DISPLAY: display.name,
      NO_AT_BRIDGE: '1',
      // Without a GPU it draws nothing, and as root it has no sandbox.
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
      ...(process.getuid?.() === 0 && { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' }),
    });
    const wire = new HostWire(host.child);
    const stop = async (signal: NodeJS.Signals): Promise<void> => {
      await host.stop(signal);
      await display.close();
    };
    return {
      name: 'WebKitGTK',
      version: host.match[1] ?? '',
      console: wire.console,
      async open(url) {
        const tab = tabOf(wire, await wire.send<number>('open'));
        await tab.goto(url);
        return tab;
      },
      kill: () => stop('SIGKILL'),
      close: () => stop('SIGTERM'),
    } satisfies Engine;
  } catch (error) {
    await display.close();
    throw error;
  }
};

interface Display {
  readonly name: string;
  close(): Promise<void>;
}

/** Its own, so that no window appears; the one of the machine where there is no Xvfb. */
async function openDisplay(): Promise<Display> {
  try {
    // Without a client it ends: it doesn't outlive a run that was killed.
    const args = ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-terminate'];
    const xvfb = await start(['Xvfb'], args, /^(\d+)$/);
    return { name: `:${xvfb.match[1] ?? ''}`, close: () => xvfb.stop() };
  } catch (error) {
    const { DISPLAY } = process.env;
    if (!(error instanceof Missing)) throw error;
    if (!DISPLAY) throw new Missing('WebKitGTK needs a display (Debian: xvfb).');
    return { name: DISPLAY, close: () => Promise.resolve() };
  }
}

function tabOf(wire: HostWire, tab: number): Tab {
  const run: Tab['run'] = (body) => wire.send('run', { tab, body });
  return {
    goto: (url) => wire.send('goto', { tab, url }),
    reload: () => wire.send('reload', { tab }),
    reloadAtOnce: () => wire.send('reloadAtOnce', { tab }),
    back: () => move(run, 'back'),
    forward: () => move(run, 'forward'),
    run,
    crash: () => wire.send('crash', { tab }),
    close: () => wire.send('close', { tab }),
  };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class HostWire {
  readonly console: string[] = [];
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout) createInterface(child.stdout).on('line', (line) => this.#take(line));
    child.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('WebKitGTK has ended.'));
      this.#waiting.clear();
    });
  }

  send<T>(command: string, more: object = {}): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (value) => resolve(value as T), reject });
      this.#child.stdin?.write(`${JSON.stringify({ id, do: command, ...more })}\n`);
    });
  }

  #take(line: string): void {
    if (!line.startsWith('{')) return;
    const message: unknown = JSON.parse(line);
    if (!isObject(message)) return;
    const { id, value, error, console: said } = message;
    if (typeof said === 'string') this.console.push(said);
    if (typeof id !== 'number') return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (typeof error === 'string') waiting?.reject(new Error(error));
    else waiting?.resolve(value);
  }
}
