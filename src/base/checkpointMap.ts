/** Notes what a map holds. @returns a function that puts it back */
export function checkpointMap(map: Map<string, unknown>): () => void {
  const held = [...map];
  return () => {
    map.clear();
    for (const [key, value] of held) map.set(key, value);
  };
}
