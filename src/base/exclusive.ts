/** Runs work alone, over all tabs of this browser: two refreshes at once would end a rotated grant. */
export interface LocksLike {
  request(name: string, options: { signal: AbortSignal }, callback: () => Promise<void>): Promise<void>;
}

export async function exclusive<T>(
  locks: LocksLike | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  // Without locks there is no secure context either, and so no vault and no token to refresh.
  if (!locks) return work();
  let result: { readonly value: T } | undefined;
  await locks.request(name, { signal: new AbortController().signal }, async () => {
    result = { value: await work() };
  });
  if (!result) throw new Error(`The lock ${name} wasn’t granted.`);
  return result.value;
}
