/** `mcp-reprise serve`: the inspector itself, on a port of this machine. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DEFAULT_PORT, OWN_DATA } from '../../../scripts/lib/port.mjs';
import { HarnessError } from '../harnessError.ts';
import { openSite } from '../page/site.ts';

export const SERVE_USAGE = `Usage: mcp-reprise serve [--port N]

  --port <n>  the port of the app (default: PORT, or ${DEFAULT_PORT})`;

export async function runServe(argv: readonly string[]): Promise<number> {
  const port = readPort(argv);
  const site = await openSite({ port, say: console.log }).catch((error: unknown) => {
    if (!isTaken(error)) throw error;
    throw new HarnessError(
      'usage',
      `Port ${port} is taken. Choose another one: mcp-reprise serve --port 4200\n${OWN_DATA}`,
    );
  });
  console.log(`Reprise is at ${site.url}\nCtrl+C stops it.`);
  const stop = new AbortController();
  await Promise.race(['SIGINT', 'SIGTERM'].map((name) => once(process, name, { signal: stop.signal })));
  stop.abort();
  await site.close();
  return 0;
}

function readPort(argv: readonly string[]): number {
  try {
    const { values } = parseArgs({ args: [...argv], options: { port: { type: 'string' } } });
    const text = values.port ?? process.env['PORT'] ?? String(DEFAULT_PORT);
    const port = Number(text);
    if (/^\d+$/.test(text) && port <= 65_535) return port;
    throw new Error(`"${text}" is not a port.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HarnessError('usage', `${why}\n${SERVE_USAGE}`);
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
