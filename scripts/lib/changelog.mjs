// The changelog as data: what a release says, and how "Unreleased" becomes a version. Pure.

const UNRELEASED = '## Unreleased';

/**
 * The notes of a version, or of "Unreleased", without its heading.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start === -1) throw new Error(`CHANGELOG.md has no section "${version}".`);
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines
    .slice(start + 1, length === -1 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}

/**
 * @param {string} changelog
 * @param {string} version
 * @param {string} date as 2026-11-17
 */
export function releaseChangelog(changelog, version, date) {
  if (notesOf(changelog, 'Unreleased') === '') {
    throw new Error('CHANGELOG.md has nothing under "Unreleased".');
  }
  return changelog.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## ${version} - ${date}\n`);
}

/**
 * @param {string} next
 * @param {string} current
 */
export function isNewer(next, current) {
  const [a, b] = [next, current].map((version) => {
    const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
    if (!parts) throw new Error(`Not a version: "${version}". Use for example 0.2.0.`);
    return parts.slice(1).map(Number);
  });
  const i = a?.findIndex((part, at) => part !== b?.[at]) ?? -1;
  return i !== -1 && (a?.[i] ?? 0) > (b?.[i] ?? 0);
}
