/** The i-th of n parts of a run: some of the servers, or some of the scenarios where there are fewer servers than parts. Pure. */
import { HarnessError } from '../harnessError.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import type { VerifyOptions } from '../verify.ts';

export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** Every n-th, so that slow neighbours are spread. */
export function takeShard<T>(all: readonly T[], { index, total }: Shard): readonly T[] {
  return all.filter((_, at) => at % total === index - 1);
}

export function takeShare(all: readonly VerifyOptions[], shard: Shard): readonly VerifyOptions[] {
  if (all.length >= shard.total || all.length === 0) return takeShard(all, shard);
  const target = all[(shard.index - 1) % all.length];
  if (!target) return [];
  const part = partOf(all.length, shard);
  if (part.total === 1) return [target];
  // Each part runs the control call itself.
  const names = (target.scenarios ?? SCENARIOS.map(({ name }) => name)).filter((name) => name !== 'control');
  const scenarios = takeShard(names, part);
  if (scenarios.length > 0) return [{ ...target, scenarios, part }];
  throw new HarnessError(
    'usage',
    `Shard ${shard.index}/${shard.total} is empty, because there are fewer scenarios. Use fewer shards.`,
  );
}

/** Which part of its server a shard is, where the shards take turns at the servers. */
function partOf(servers: number, { index, total }: Shard): Shard {
  const at = (index - 1) % servers;
  return { index: Math.floor((index - 1) / servers) + 1, total: Math.ceil((total - at) / servers) };
}
