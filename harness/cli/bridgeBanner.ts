/** What `mcp-reprise bridge` prints at its start. Names of variables, never their values. Pure. */
import { hideUrlKeys } from '../../src/base/urlKeys.ts';
import type { ConfiguredServer } from '../../bridge/config.ts';
import type { ServerEnvironment } from '../../bridge/environment.ts';
import { commandText } from '../../bridge/servers.ts';
import type { BridgeCommand } from './bridgeOptions.ts';
import { printable } from './printable.ts';

const LAST_LINE =
  'Only this computer can connect, and only with the token in the link. Press Ctrl+C to stop.';

export function bannerOf(
  link: string,
  servers: readonly ConfiguredServer[],
  { source, isQuiet, limits, store }: BridgeCommand,
  environment: ServerEnvironment,
): string {
  const open = `Open ${link}`;
  if (isQuiet) return open;
  const rows = servers.map(serverRow);
  const isStdio = servers.some((one) => one.kind === 'server' && one.server.transport === 'stdio');
  const { always, named, notPassed } = environment;
  if (source.kind !== 'config' && isStdio) {
    rows.push(['Environment', [always.join(' '), ...named].join(', ')]);
    if (notPassed.length > 0) {
      const options = notPassed.map((name) => `--env ${name}`).join(' ');
      rows.push(['Not passed', `${notPassed.join(', ')} (pass it with ${options} if the server needs it)`]);
    }
  }
  if (source.kind !== 'config') {
    const kept = `${limits.maxEvents.toLocaleString('en-US')} events, ${sizeText(limits.maxBytes)}`;
    const where = store === 'memory:' ? 'in memory' : 'in Redis';
    rows.push([
      'Sessions',
      `up to ${kept} each, ${where}; end after ${timeText(limits.idleMs)} without a page`,
    ]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => printable(`  ${name.padEnd(width)}  ${text}`));
  return [open, '', ...lines, '', LAST_LINE].join('\n');
}

function serverRow(one: ConfiguredServer): [string, string] {
  if (one.kind === 'skipped') return [one.name, `skipped: ${one.why}`];
  const { server } = one;
  return server.transport === 'stdio'
    ? [server.name, `stdio  ${commandText(server.program)}`]
    : [server.name, `HTTP   ${hideUrlKeys(server.url)}`];
}

function sizeText(bytes: number): string {
  const megabytes = bytes / 1024 ** 2;
  return megabytes >= 1 ? `${Math.round(megabytes)} MB` : `${Math.round(bytes / 1024)} KB`;
}

function timeText(ms: number): string {
  return ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`;
}
