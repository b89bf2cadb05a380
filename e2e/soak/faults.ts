/** What goes wrong around a page. Each resolves when it is over. */
import { within } from '../engines/within.ts';
import type { FaultName, Step } from './plan.ts';
import type { Stage } from './stage.ts';
import type { World } from './world.ts';

type FaultStep = Step & { kind: 'fault' };
type Play = (world: World, stage: Stage, step: FaultStep) => Promise<void>;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** A page that opens all its streams again has about so many. */
const NEXT_CONNECTIONS = 6;
const HOUR_MS = 3_600_000;
const ENDS_WITHIN_MS = 20_000;

const PLAYS: Record<FaultName, Play> = {
  'reset-all': async ({ proxy }) => proxy.cutAll(),
  'reset-half': async ({ proxy }) => proxy.cutHalf(),
  'before-head': (world, _, { forMs }) => spoil(world, { kind: 'cut', atByte: 0 }, 1, forMs),
  'mid-frame': (world, _, { forMs, atByte }) => spoil(world, { kind: 'cut', atByte }, 2, forMs),
  'mid-character': (world, _, { forMs }) => spoil(world, { kind: 'cut-character', atByte: 0 }, 2, forMs),
  async refuse({ proxy }, _, { forMs }) {
    const admit = await proxy.refuse();
    await sleep(forMs);
    await admit();
  },
  async stall(world, _, { forMs }) {
    await spoil(world, { kind: 'stall', atByte: 0 }, NEXT_CONNECTIONS, forMs);
    // What has stalled stays so: a page has to be told that the connection is over.
    world.proxy.cutAll();
  },
  'byte-by-byte': (world, _, { forMs }) =>
    spoil(world, { kind: 'split', atByte: 0, size: 1 }, NEXT_CONNECTIONS, forMs),
  async offline(_, { seat }, { forMs }) {
    await seat.setOffline?.(true);
    await sleep(forMs);
    await seat.setOffline?.(false);
  },
  'busy-409': (world, _, { forMs }) => refuse(world, { status: 409, of: 'GET' }, forMs),
  'error-503': (world, _, { forMs }) => refuse(world, { status: 503, of: 'all' }, forMs),
  restart: (world) => world.restart(),
  async quota(_, { tab }, { forMs }) {
    const empty = await tab.fillStorage?.();
    await sleep(forMs);
    await empty?.();
  },
  clock: (_, stage, { atByte }) => stage.jumpClock((atByte - 450) * HOUR_MS),
  async freeze(_, { tab }, { forMs }) {
    const thaw = await tab.freeze?.();
    await sleep(forMs);
    await thaw?.();
  },
};

export async function playFault(world: World, stage: Stage, step: FaultStep): Promise<void> {
  // The page may be gone in the middle of it: then the fault is over too.
  await within(ENDS_WITHIN_MS, 'end the fault', PLAYS[step.fault](world, stage, step)).catch(() => undefined);
}

async function spoil(
  { proxy }: World,
  fault: Parameters<World['proxy']['inject']>[0],
  connections: number,
  forMs: number,
): Promise<void> {
  proxy.spoilOpen(fault);
  proxy.inject(fault, connections);
  await sleep(forMs);
  proxy.spoilOpen(undefined);
  proxy.clear();
}

async function refuse(
  world: World,
  refusal: NonNullable<Parameters<World['refuse']>[0]>,
  forMs: number,
): Promise<void> {
  world.refuse(refusal);
  await sleep(forMs);
  world.refuse(undefined);
}
