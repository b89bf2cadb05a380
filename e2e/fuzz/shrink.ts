/** Finds the few edits of a script that a finding needs: halves first, then smaller parts (delta debugging). */
export async function shrink<T>(
  all: readonly T[],
  fails: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let found = all;
  for (let parts = 2; found.length > 1;) {
    const size = Math.ceil(found.length / parts);
    const starts = Array.from({ length: Math.ceil(found.length / size) }, (_, i) => i * size);
    const part = await firstThatFails(
      starts.map((at) => found.slice(at, at + size)),
      fails,
    );
    const rest =
      part ??
      (await firstThatFails(
        starts.map((at) => [...found.slice(0, at), ...found.slice(at + size)]),
        fails,
      ));
    if (rest === undefined && size === 1) return found;
    if (rest === undefined) parts = Math.min(found.length, parts * 2);
    else [found, parts] = [rest, part ? 2 : Math.max(2, parts - 1)];
  }
  return found;
}

async function firstThatFails<T>(
  candidates: readonly (readonly T[])[],
  fails: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[] | undefined> {
  for (const candidate of candidates) if (await fails(candidate)) return candidate;
  return undefined;
}
