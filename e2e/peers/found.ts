/** What was measured of the inspectors, round by round: kept in a file, so that a comparison can be made in pieces. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { median } from '../bench/bench.ts';

const FILE = fileURLToPath(new URL('./results.json', import.meta.url));

const FoundSchema = z.object({
  /** As in `2026-11-18`. */
  date: z.string(),
  peer: z.string(),
  version: z.string(),
  what: z.string(),
  /** How long it took, and for how long the page did not respond at a stretch; or why it has no time. */
  timing: z.union([z.object({ ms: z.number(), frozenMs: z.number() }), z.enum(['over', 'disconnected'])]),
});
export type Found = z.infer<typeof FoundSchema>;
export type Timing = Found['timing'];

export async function readFound(): Promise<readonly Found[]> {
  const text = await readFile(FILE, 'utf8').catch(() => '[]');
  return z.array(FoundSchema).parse(JSON.parse(text));
}

/** Adds one, so that what was measured is there even if the next step never ends. */
export async function keepFound(found: Found): Promise<void> {
  await writeFound([...(await readFound()), found]);
}

/** Before a step is measured anew: a table has rounds of one day only. */
export async function forgetFound(isOld: (found: Found) => boolean): Promise<void> {
  await writeFound((await readFound()).filter((found) => !isOld(found)));
}

async function writeFound(all: readonly Found[]): Promise<void> {
  const lines = all.map((found) => `  ${JSON.stringify(found)}`);
  await writeFile(FILE, `[\n${lines.join(',\n')}\n]\n`);
}

/** The medians; or, if it was not done in most rounds, why. */
export function sumUp(timings: readonly Timing[]): Timing | undefined {
  const done = timings.filter((timing) => typeof timing === 'object');
  const failed = timings.find((timing) => typeof timing === 'string');
  if (failed !== undefined && done.length * 2 <= timings.length) return failed;
  if (done.length === 0) return undefined;
  return {
    ms: Math.round(median(done.map(({ ms }) => ms))),
    frozenMs: Math.round(median(done.map(({ frozenMs }) => frozenMs))),
  };
}
