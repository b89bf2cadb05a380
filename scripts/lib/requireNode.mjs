// Imported before anything else, and without new syntax, so that an old Node gets as far as the sentence.
import process from 'node:process';

const MAJOR = 20;
const MINOR = 19;

/** @param {string} version as in `process.versions.node` */
export function isNodeTooOld(version) {
  const parts = version.split('.').map(Number);
  const major = parts[0] || 0;
  const minor = parts[1] || 0;
  return major < MAJOR || (major === MAJOR && minor < MINOR);
}

if (isNodeTooOld(process.versions.node)) {
  process.stderr.write(
    `Reprise requires Node ${MAJOR}.${MINOR} or later (found ${process.versions.node}). ` +
      `Install a current version from https://nodejs.org and try again.\n`,
  );
  process.exit(1);
}
