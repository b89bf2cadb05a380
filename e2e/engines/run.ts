/**
 * `npm run engines [-- --only chromium,firefox --story demo,burst --quick --workers 3 --docs]`: what happens to a page, in Chromium and
 * in whatever stock Firefox and WebKitGTK are installed. Fails if one of them loses something. The engines take turns, so
 * that a busy moment of the machine is one of all of them. `--docs` writes the table into docs/engines.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openSite } from '../../harness/page/site.ts';
import { inParallel } from '../../scripts/lib/inParallel.mjs';
import { startChromium } from './chromium.ts';
import { Missing, type StartEngine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { STORIES } from './stories/index.ts';
import type { Story } from './stories/story.ts';
import { drawTable, readRows, withResults, type Row } from './table.ts';
import { tellStory } from './tellStory.ts';
import { startWebkit } from './webkit.ts';

const STARTS: Readonly<Record<string, StartEngine>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebkit,
};
const PAGE = new URL('../../docs/engines.md', import.meta.url);

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    story: { type: 'string' },
    quick: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
    docs: { type: 'boolean', default: false },
  },
});
const wanted = new Set(values.only?.split(',') ?? Object.keys(STARTS));
const chosen = values.story?.split(',');
const stories = STORIES.filter(({ name, isLong }) =>
  chosen ? chosen.includes(name) : !(values.quick && isLong),
);

const site = await openSite({ say: console.log });
const rows = new Map<Story, Row>();
try {
  await inParallel(stories, Number(values.workers), tellEverywhere);
} finally {
  await site.close();
}
if (values.docs) {
  const page = await readFile(PAGE, 'utf8');
  const known = readRows(page);
  const all = STORIES.flatMap((story) => rows.get(story) ?? known.find(({ row }) => row === story.row) ?? []);
  const names = [...new Set(all.flatMap(({ cells }) => [...cells.keys()]))];
  const measured = `Measured ${new Date().toISOString().slice(0, 10)} on ${process.platform}, ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(0) ?? ''}.`;
  await writeFile(PAGE, withResults(page, `${measured}\n\n${drawTable(names, all)}`));
}

async function tellEverywhere(story: Story): Promise<void> {
  const cells = new Map<string, string>();
  for (const name of [...wanted]) {
    const start = STARTS[name];
    if (!start) throw new Error(`Unknown engine "${name}". Available: ${Object.keys(STARTS).join(', ')}.`);
    try {
      const { engine, says, problems } = await tellStory(story, start, site.url);
      cells.set(engine, says);
      if (problems.length > 0) process.exitCode = 1;
      const sign = problems.length === 0 ? 'ok  ' : 'FAIL';
      console.log(`${sign}  ${engine}, ${story.name}: ${[...new Set([says, ...problems])].join('; ')}`);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      console.log(`skip  ${name}: ${error.message}`);
      wanted.delete(name);
    }
  }
  rows.set(story, { row: story.row, cells });
}
