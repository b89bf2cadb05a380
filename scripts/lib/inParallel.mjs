/**
 * @template T, R
 * @param {readonly T[]} items
 * @param {number} atATime
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>} in the order in which they ended
 */
export async function inParallel(items, atATime, work) {
  const waiting = [...items];
  /** @type {R[]} */
  const results = [];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      results.push(await work(item));
  };
  await Promise.all(Array.from({ length: atATime }, lane));
  return results;
}
