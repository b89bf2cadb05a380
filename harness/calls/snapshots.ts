/** Results that were right once, in a file beside the calls. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { isObject } from '../../src/base/json.ts';
import { HarnessError } from '../harnessError.ts';

export class Snapshots {
  readonly path: string;
  readonly #results: Map<string, unknown>;
  #isChanged = false;

  static async read(callsPath: string): Promise<Snapshots> {
    const path = `${callsPath.replace(/\.json$/, '')}.snapshots.json`;
    if (!existsSync(path)) return new Snapshots(path, new Map());
    try {
      const value: unknown = JSON.parse(await readFile(path, 'utf8'));
      return new Snapshots(path, new Map(Object.entries(isObject(value) ? value : {})));
    } catch (error) {
      throw new HarnessError('usage', `Can't read the snapshots in ${path}.`, { cause: error });
    }
  }

  private constructor(path: string, results: Map<string, unknown>) {
    this.path = path;
    this.#results = results;
  }

  of(key: string): unknown {
    return this.#results.get(key);
  }

  set(key: string, result: unknown): void {
    this.#results.set(key, result);
    this.#isChanged = true;
  }

  /** By name, so that a change is easy to read in a diff. */
  async write(): Promise<boolean> {
    if (!this.#isChanged) return false;
    const sorted = [...this.#results].sort(([a], [b]) => (a < b ? -1 : 1));
    await writeFile(this.path, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
    return true;
  }
}
