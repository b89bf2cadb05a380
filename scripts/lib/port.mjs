import process from 'node:process';

/** No other tool's default: stored data belongs to the origin, and a port shared with another project shares it. */
export const DEFAULT_PORT = 4778;

/** For the places where a user changes the port. */
export const OWN_DATA =
  "Another port is another origin, so servers, logs and logins stored under this port aren't shown there.";

/**
 * @param {string | undefined} text as given by the user
 */
export function parsePort(text) {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`"${text}" isn't a valid port. Use 0 to 65535 (0 picks a free port).`);
  }
  return port;
}

/**
 * The message for a server that can't listen on its port.
 *
 * @param {unknown} error
 * @param {number} port
 * @param {string} command that was run
 */
export function explainListenError(error, port, command) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const other = port < 65535 ? port + 1 : DEFAULT_PORT;
  const another =
    process.platform === 'win32' ? `set PORT=${other}&& ${command}` : `PORT=${other} ${command}`;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is in use, maybe by another Reprise. Stop it, or use another port: ${another}\n${OWN_DATA}`;
  }
  if (code === 'EACCES') {
    return `No permission to use port ${port}. Use a port above 1023: ${another}`;
  }
  return `Can't use port ${port}: ${error instanceof Error ? error.message : String(error)}`;
}
