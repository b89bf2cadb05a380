/** The logs of a run, each as a page of its own beside the report. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inMarkup, LOG_PLACE } from '../../src/timeline/share/logPlace.ts';
import { findSiteFolder } from '../page/site.ts';
import type { LogLinks } from '../report/logLinks.ts';

const FOLDER = 'logs';

export class ScenarioLogs {
  readonly #logs = new Map<string, string>();

  /** @param server the number of its report, from 0 */
  keep(server: number, scenario: string, log: string): void {
    this.#logs.set(fileOf(server, scenario), log);
  }

  links(): LogLinks {
    return (server, scenario) => {
      const file = fileOf(server, scenario);
      return this.#logs.has(file) ? `${FOLDER}/${file}` : undefined;
    };
  }

  async write(folder: string): Promise<void> {
    if (this.#logs.size === 0) return;
    const page = await readFile(join(await findSiteFolder(), 'viewer.txt'), 'utf8');
    await mkdir(join(folder, FOLDER), { recursive: true });
    for (const [file, log] of this.#logs) {
      await writeFile(
        join(folder, FOLDER, file),
        page.replace(LOG_PLACE, () => inMarkup(log)),
      );
    }
  }
}

const fileOf = (server: number, scenario: string): string => `s${server + 1}-${scenario}.html`;
