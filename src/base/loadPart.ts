/**
 * Loads a part of the app when it is first needed. A fetch that fails is made again: current browsers forget the failure of
 * an `import()` (Firefox before 155 keeps it until the page is reloaded).
 */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';

  constructor(cause: unknown) {
    super('A part of Reprise couldn’t be loaded. Check your connection to this site, or reload the page.', {
      cause,
    });
  }
}

export type Pause = (ms: number) => Promise<void>;

const PAUSES_MS = [300, 1500];
const LONGEST_PAUSE_MS = 5000;

const wait: Pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const loaded = new WeakMap<() => Promise<unknown>, unknown>();

/** What this function has loaded before: it can be drawn at once, where `import()` would take another turn. */
export function loadedPart<T>(load: () => Promise<T>): T | undefined {
  return loaded.get(load) as T | undefined;
}

/** Rejects with `PartMissing` after a few tries. */
export async function loadPart<T>(load: () => Promise<T>, pause: Pause = wait): Promise<T> {
  const part = await tryToLoad(load, pause);
  loaded.set(load, part);
  return part;
}

async function tryToLoad<T>(load: () => Promise<T>, pause: Pause): Promise<T> {
  for (const ms of PAUSES_MS) {
    try {
      return await load();
    } catch {
      await pause(ms);
    }
  }
  return load().catch((error: unknown) => {
    throw new PartMissing(error);
  });
}

/** Resolves when the part is there, however long that takes: for scripts, which can't press a button. */
export async function loadPartPatiently<T>(load: () => Promise<T>, pause: Pause = wait): Promise<T> {
  for (let ms = PAUSES_MS[0] ?? 0; ; ms = Math.min(LONGEST_PAUSE_MS, 2 * ms)) {
    try {
      return await load();
    } catch {
      await pause(ms);
    }
  }
}
