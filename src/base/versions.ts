/** Compares versions of the form 1.2.3. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [partsOf(version), partsOf(than)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}

/** Without the suffix of a prerelease. */
function partsOf(version: string): readonly number[] {
  const parts = (version.split('-')[0] ?? '').split('.').map(Number);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}
