import process from 'node:process';

const LOOK_EVERY_MS = 500;

/**
 * npm puts a shell between itself and the script, and not every shell passes a signal on. Without this, a stopped
 * `npm start` can leave a server behind that nobody sees, and that still has the port.
 */
export function exitWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit();
  }, LOOK_EVERY_MS).unref();
}
