import process from 'node:process';

/**
 * @param {string | undefined} text as given by the person
 * @param {number} fallback
 */
export function parsePort(text, fallback) {
  if (text === undefined || text === '') return fallback;
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
  const other = port < 65535 ? port + 1 : 4174;
  const another =
    process.platform === 'win32' ? `set PORT=${other}&& ${command}` : `PORT=${other} ${command}`;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken, perhaps by a Reprise that is already running. Stop that one, or choose another port: ${another}`;
  }
  if (code === 'EACCES') {
    return `Port ${port} may not be used by this account. Choose one above 1023: ${another}`;
  }
  return `Port ${port} cannot be used: ${error instanceof Error ? error.message : String(error)}`;
}
