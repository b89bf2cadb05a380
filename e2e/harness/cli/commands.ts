/** The commands of `mcp-reprise`. */
import { DEFAULT_PORT } from '../../../scripts/lib/port.mjs';
import { HarnessError } from '../harnessError.ts';
import { VERSION } from '../page/site.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import { MERGE_USAGE, runMerge } from './merge.ts';
import { parseVerify, VERIFY_USAGE } from './options.ts';
import { runServe } from './serve.ts';
import { runVerify } from './runVerify.ts';

const USAGE = `mcp-reprise ${VERSION}: can a user press F5 on your MCP server?

  mcp-reprise verify <url>        judge a server (--help shows the options)
  mcp-reprise merge <report.json …> --html <folder>   one report from several
  mcp-reprise serve [--port N]    the inspector itself, on a port of this machine (default: ${DEFAULT_PORT})`;

export async function runCommand([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case 'verify':
      if (rest.includes('--help') || rest.includes('-h')) return print(VERIFY_USAGE);
      if (rest.includes('--list-scenarios')) return printScenarios();
      return runVerify(parseVerify(rest, process.env), process.env);
    case 'merge':
      return rest.includes('--help') ? print(MERGE_USAGE) : runMerge(rest);
    case 'serve':
      return runServe(rest);
    case '--version':
      return print(VERSION);
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      print(USAGE);
      return command === undefined ? 2 : 0;
    default:
      throw new HarnessError('usage', `There is no command "${command}".\n\n${USAGE}`);
  }
}

function printScenarios(): number {
  const width = Math.max(...SCENARIOS.map(({ name }) => name.length));
  for (const { name, summary } of SCENARIOS) console.log(`${name.padEnd(width)}  ${summary}`);
  return 0;
}

function print(text: string): number {
  console.log(text);
  return 0;
}
