/** One script for each moment of a visit, instead of one for each set of parts that shares a module. */
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** The name of a script, and the modules that it begins with. */
export type Moment = readonly [name: string, ...entries: readonly string[]];

export interface Moments {
  /** The first paint. */
  readonly first: Moment;
  /** Each comes after the ones before it, and finds their modules there. */
  readonly then: readonly Moment[];
  /** These come when they're wanted, after the first two. What they share with later ones is in the first. */
  readonly aside: readonly Moment[];
}

/** Names the chunk of a module, if it has one of these. */
export function namedChunks({
  first,
  then,
  aside,
}: Moments): (id: string, modules: Modules) => string | null {
  let reached: ReadonlyMap<Moment, ReadonlySet<string>> | undefined;
  return (id, modules) => {
    reached ??= new Map(
      [first, ...then, ...aside].map((moment) => [moment, importedBy(moment.slice(1), modules)]),
    );
    const isIn = (moment: Moment) => reached?.get(moment)?.has(id) === true;
    const [early, late] = [[first, ...then].find(isIn), aside.filter(isIn)];
    if (early && late.length > 0 && early !== then[0]) return first[0];
    return (early ?? (late.length > 1 ? then[0] : late[0]))?.[0] ?? null;
  };
}

/** Svelte's runtime is imported through a few files. No component of these moments has a transition, or a reactive set. */
const LATER =
  /[\\/]svelte[\\/]src[\\/](internal[\\/]client[\\/](dom[\\/]elements[\\/]transitions|loop|timing)|reactivity[\\/](set|map))\.js$/;

function importedBy(entries: readonly string[], modules: Modules): ReadonlySet<string> {
  const found = new Set(entries);
  for (const id of found) {
    for (const next of modules.getModuleInfo(id)?.importedIds ?? []) if (!LATER.test(next)) found.add(next);
  }
  return found;
}
