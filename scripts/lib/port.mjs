import process from 'node:process';

/** No other tool's default: stored data belongs to the origin, and a port shared with another project shares it. */
export const DEFAULT_PORT = 4778;

/** For the places where a user changes the port. */
export const OWN_DATA =
  'Another port is another origin, so servers, logs and logins stored under this port are not shown there.';

/**
 * @param {string | undefined} text as given by the person
 */
export function parsePort(text) {
  if (text === undefined || text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(`A port is a number from 0 to 65535 (0 takes a free one), and this is "${text}".`);
  }
  return port;
}

/**
 * What to say when a server could not take its port.
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
    return `Port ${port} is taken, perhaps by a Reprise that is already running. Stop that one, or choose another port: ${another}\n${OWN_DATA}`;
  }
  if (code === 'EACCES') {
    return `Port ${port} may not be used by this account. Choose one above 1023: ${another}`;
  }
  return `Port ${port} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}
