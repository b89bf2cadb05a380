/** Tells a story in an engine, in a browser and on a server of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../src/base/format.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { AppPage } from './appPage.ts';
import { Missing, type Engine, type StartEngine } from './engine.ts';
import type { Story, Told, World } from './stories/story.ts';

export interface ToldStory extends Told {
  /** Of the engine: "Firefox 153.7.0". */
  readonly engine: string;
}

/**
 * A refused request is no fault of the page. The other line is written by Firefox for every streaming response of a service
 * worker whose page is left, also if the worker has ended the stream before: no code of the worker prevents it.
 */
const EXPECTED = /Failed to load resource|A ServiceWorker intercepted the request and encountered/;
/** It is about requests that fail, and engines write of each. */
const NOISY = 'doctor';

/** @throws Missing */
export async function tellStory(story: Story, start: StartEngine, site: string): Promise<ToldStory> {
  const profile = await mkdtemp(join(tmpdir(), 'reprise-engine-'));
  const target = await startTarget('resumable');
  let engine: Engine | undefined;
  try {
    engine = await start(profile);
    const open = async () => new AppPage(await required(engine).open(site));
    const told = await attempt(story, {
      site,
      target,
      engine: engine.name,
      open,
      async connected() {
        const page = await open();
        await page.connect(target.url);
        return page;
      },
      async killAndStart() {
        await required(engine).kill();
        engine = await start(profile);
      },
    });
    const lines = story.name === NOISY ? [] : engine.console.filter((line) => !EXPECTED.test(line));
    const said = lines.length > 0 ? [`${lines.length} lines in the console, first: ${lines[0] ?? ''}`] : [];
    return {
      ...told,
      problems: [...told.problems, ...said],
      engine: `${engine.name} ${engine.version}`,
    };
  } finally {
    await engine?.close().catch(() => undefined);
    await target.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function attempt(story: Story, world: World): Promise<Told> {
  try {
    return await story.tell(world);
  } catch (error) {
    if (error instanceof Missing) throw error;
    const [why = ''] = errorMessage(error).split('\n');
    return { says: why, problems: [why] };
  }
}

function required(engine: Engine | undefined): Engine {
  if (!engine) throw new Error('The browser is not running.');
  return engine;
}
