/** `mcp-reprise` and `mcp-reprise serve`: the inspector itself, on a port of this machine. */
import { parseArgs } from 'node:util';
import { openBrowser } from '../../scripts/lib/openBrowser.mjs';
import { DEFAULT_PORT, OWN_DATA } from '../../scripts/lib/port.mjs';
import { HarnessError } from '../harnessError.ts';
import { openSite } from '../page/site.ts';
import { atFreePort } from './freePort.ts';
import { untilStopped } from './untilStopped.ts';

export const SERVE_USAGE = `Usage: mcp-reprise [serve] [--port N] [--no-open]

  --port <n>  port of the app (default: PORT, or ${DEFAULT_PORT}, or the next free port)
  --no-open   don't open the browser`;

export async function runServe(argv: readonly string[]): Promise<number> {
  const { port, opensBrowser } = readOptions(argv);
  const start = (at: number) => openSite({ port: at, say: console.log });
  const site = await atFreePort(
    start,
    port,
    DEFAULT_PORT,
    (taken) =>
      new HarnessError(
        'usage',
        `Port ${taken} is in use. Try another: mcp-reprise --port ${taken + 1}\n${OWN_DATA}`,
      ),
  );
  console.log(`Open ${site.url}\nPress Ctrl+C to stop.`);
  if (opensBrowser && process.stdout.isTTY) openBrowser(site.url);
  await untilStopped(() => site.close());
  return 0;
}

function readOptions(argv: readonly string[]): { port: number | undefined; opensBrowser: boolean } {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { port: { type: 'string' }, 'no-open': { type: 'boolean', default: false } },
    });
    const text = values.port ?? process.env['PORT'];
    const port = text === undefined || text === '' ? undefined : Number(text);
    if (port !== undefined && (!/^\d+$/.test(text ?? '') || port > 65_535)) {
      throw new Error(`"${text ?? ''}" isn't a valid port.`);
    }
    return { port, opensBrowser: !values['no-open'] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HarnessError('usage', `${why}\n${SERVE_USAGE}`);
  }
}
