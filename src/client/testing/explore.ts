/** Breadth-first search of every state of a model, and of those from which its goal can no longer be reached. */

export interface Move<World> {
  readonly label: string;
  /** Something goes wrong. What must be reachable must be reachable without more of them. */
  readonly isFault: boolean;
  readonly world: World;
}

export interface Model<World> {
  start(): World;
  moves(world: World): readonly Move<World>[];
}

export interface Explored<World> {
  readonly worlds: readonly World[];
  readonly moves: number;
  readonly depth: number;
  /** The way to a world, as labels. */
  readonly path: (index: number) => readonly string[];
  /** Worlds from which no run without further faults reaches the goal. */
  readonly stuck: (isGoal: (world: World) => boolean) => readonly number[];
}

const MOST_WORLDS = 2_000_000;

/** @param check throws in a world that must not be; the error then has the way to it */
export function explore<World>(model: Model<World>, check: (world: World) => void): Explored<World> {
  const start = model.start();
  const known = new Map<string, number>([[JSON.stringify(start), 0]]);
  const worlds: World[] = [start];
  const from: number[] = [-1];
  const by: string[] = ['start'];
  const depths: number[] = [0];
  /** For each world, those one move without a fault before it. */
  const before: number[][] = [[]];
  let moves = 0;

  const path = (index: number): readonly string[] =>
    index < 0 ? [] : [...path(from[index] ?? -1), by[index] ?? ''];
  const visit = (index: number, { label, isFault, world }: Move<World>): void => {
    moves += 1;
    const key = JSON.stringify(world);
    let to = known.get(key);
    if (to === undefined) {
      to = worlds.length;
      if (to >= MOST_WORLDS) throw new Error('too many worlds');
      known.set(key, to);
      worlds.push(world);
      from.push(index);
      by.push(label);
      depths.push((depths[index] ?? 0) + 1);
      before.push([]);
    }
    if (!isFault) before[to]?.push(index);
  };
  const stuck = (isGoal: (world: World) => boolean): readonly number[] => {
    const reaches = worlds.map(isGoal);
    const queue = reaches.flatMap((isThere, index) => (isThere ? [index] : []));
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      for (const earlier of before[index] ?? []) {
        if (reaches[earlier]) continue;
        reaches[earlier] = true;
        queue.push(earlier);
      }
    }
    return reaches.flatMap((isThere, index) => (isThere ? [] : [index]));
  };

  for (const [index, world] of worlds.entries()) {
    try {
      check(world);
      for (const move of model.moves(world)) visit(index, move);
    } catch (error) {
      const way = path(index).join(' · ');
      throw new Error(
        `${error instanceof Error ? error.message : 'failed'}\n  after ${way}\n  ${JSON.stringify(world)}`,
        { cause: error },
      );
    }
  }
  return { worlds, moves, depth: depths.at(-1) ?? 0, path, stuck };
}

/** For the table in docs/soak.md. */
export function tellSize(what: string | undefined, { worlds, moves, depth }: Explored<unknown>): void {
  console.log(`${what ?? ''}: ${worlds.length} states, ${moves} moves, depth ${depth}`);
}
