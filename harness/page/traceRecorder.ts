/** Records a Playwright trace of every page of a scenario, and keeps them if it fails. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';

/** A page that has crashed may never answer. */
const STOPPED_WITHIN_MS = 10_000;

export class TraceRecorder {
  readonly #folder: string;
  readonly #scenario: string;
  readonly #running = new Set<BrowserContext>();
  readonly #written: string[] = [];
  #temporary: Promise<string> | undefined;

  /** @param folder where the traces of failed scenarios are kept */
  constructor(folder: string, scenario: string) {
    this.#folder = folder;
    this.#scenario = scenario;
  }

  async start(tab: BrowserContext): Promise<void> {
    if (this.#running.has(tab)) return;
    this.#running.add(tab);
    await tab.tracing.start({ screenshots: true, snapshots: true, title: this.#scenario });
  }

  /** Ends the trace of a context, and closes it. */
  async close(tab: BrowserContext): Promise<void> {
    if (this.#running.delete(tab)) await this.#stop(tab);
    await tab.close();
  }

  async #stop(tab: BrowserContext): Promise<void> {
    this.#temporary ??= makeTemporary(this.#folder);
    const path = join(await this.#temporary, `${this.#written.length + 1}.zip`);
    const stopped = tab.tracing.stop({ path }).then(
      () => true,
      () => false,
    );
    if (await Promise.race([stopped, pause(STOPPED_WITHIN_MS, false, { ref: false })]))
      this.#written.push(path);
  }

  /** The files that are kept: one for each try, the last one last. */
  async end(isKept: boolean): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const [at, path] of isKept ? this.#written.entries() : []) {
      const name = at === 0 ? `${this.#scenario}.zip` : `${this.#scenario}-${at + 1}.zip`;
      const file = join(this.#folder, name);
      await rename(path, file);
      kept.push(file);
    }
    if (this.#temporary) await rm(await this.#temporary, { recursive: true, force: true });
    return kept;
  }
}

/** In the same folder, so that a trace is only renamed. */
async function makeTemporary(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return mkdtemp(join(folder, '.recording-'));
}
