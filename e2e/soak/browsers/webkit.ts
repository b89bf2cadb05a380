/** WebKitGTK for the soak: a browser on a profile of its own for each trial, because it has no contexts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, Tab as EngineTab } from '../../engines/engine.ts';
import { startWebkit as startEngine } from '../../engines/webkit.ts';
import type { Browsers, Seat, Tab } from './seat.ts';

export async function startWebkit(): Promise<Browsers> {
  const first = await WebkitSeat.start();
  const { version } = first;
  await first.close();
  return {
    version,
    isConnected: true,
    seat: () => WebkitSeat.start(),
    close: () => Promise.resolve(),
  };
}

/** Nothing has failed: the engine says that it draws the rest in the next frame. Playwright leaves it out too. */
const LATER_LAYOUT = 'ResizeObserver loop completed';

class WebkitSeat implements Seat {
  readonly #profile: string;
  readonly #ended: string[] = [];
  #engine: Engine;

  static async start(): Promise<WebkitSeat> {
    const profile = await mkdtemp(join(tmpdir(), 'reprise-soak-profile-'));
    return new WebkitSeat(profile, await startEngine(profile));
  }

  private constructor(profile: string, engine: Engine) {
    this.#profile = profile;
    this.#engine = engine;
  }

  get version(): string {
    return `${this.#engine.name} ${this.#engine.version}`;
  }

  /** The console has warnings of the page too. It has none in a trial that is well. */
  get pageErrors(): readonly string[] {
    return [...this.#ended, ...this.#engine.console].filter((text) => !text.startsWith(LATER_LAYOUT));
  }

  async open(): Promise<Tab> {
    return tabOf(await this.#engine.open('about:blank'));
  }

  async kill(): Promise<void> {
    await this.#engine.kill();
    this.#ended.push(...this.#engine.console);
    this.#engine = await startEngine(this.#profile);
  }

  async close(): Promise<void> {
    await this.#engine.kill();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function tabOf(tab: EngineTab): Tab {
  const { crash } = tab;
  return {
    goto: (url) => tab.goto(url),
    reload: () => tab.reload(),
    run: (work, given) => tab.run(`return (${String(work)})(${JSON.stringify(given)})`),
    close: () => tab.close(),
    ...(crash && { crash }),
  };
}
