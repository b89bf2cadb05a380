// What makes package-lock.json safe to install from.

/** @typedef {{ integrity?: string, resolved?: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} LockEntry */

/**
 * Why the lock file can't be relied on, one sentence for each fault.
 *
 * @param {{ packages: Record<string, LockEntry> }} lock
 * @returns {string[]}
 */
export function lockFaults({ packages }) {
  return Object.entries(packages).flatMap(([path, entry]) => [
    // '' is the project itself.
    ...(path !== '' && !entry.integrity ? [`${path} has no integrity hash.`] : []),
    // An address ties the file to one registry, and says nothing that the hash doesn't.
    ...(entry.resolved === undefined ? [] : [`${path} has a resolved address.`]),
    ...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter((name) => !isLocked(packages, path, name))
      // `npm ci` would skip the binaries of another system without a word.
      .map((name) => `${name}, needed by ${path || 'the project'}, is missing.`),
  ]);
}

/**
 * Whether a dependency is found as Node finds it: beside the package, or in a folder above.
 *
 * @param {Record<string, LockEntry>} packages
 * @param {string} from
 * @param {string} name
 */
function isLocked(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}
