/** The commands of `mcp-reprise`. */
import { DEFAULT_PORT } from '../../scripts/lib/port.mjs';
import { HarnessError } from '../harnessError.ts';
import { VERSION } from '../page/site.ts';
import { SCENARIOS } from '../scenarios/index.ts';
import { runBridge } from './bridge.ts';
import { BRIDGE_USAGE, splitCommand } from './bridgeOptions.ts';
import { MERGE_USAGE, runMerge } from './merge.ts';
import { parseVerify } from './options.ts';
import { readArgsFile } from './readArgsFile.ts';
import { runServe, SERVE_USAGE } from './serve.ts';
import { parseVerifyPage, VERIFY_PAGE_USAGE } from '../verifyPage/options.ts';
import { suggest } from './suggest.ts';
import { VERIFY_USAGE } from './verifyUsage.ts';

const USAGE = `mcp-reprise ${VERSION}: inspect MCP servers, and test whether they survive page reloads

  mcp-reprise [--port N]                              run the inspector locally (default port: ${DEFAULT_PORT})
  mcp-reprise bridge -- <command>                     run the inspector with a stdio server (see bridge --help)
  mcp-reprise bridge <url>                            run the inspector with a server without CORS
  mcp-reprise verify <url>                            test a server (see verify --help)
  mcp-reprise verify-page <page url> --script <file>  test a page that is an MCP client (see verify-page --help)
  mcp-reprise merge <report.json …> --html <folder>   combine reports`;

const COMMANDS = ['verify', 'verify-page', 'merge', 'serve', 'bridge'];
const USAGES: Readonly<Record<string, string>> = {
  verify: VERIFY_USAGE,
  'verify-page': VERIFY_PAGE_USAGE,
  merge: MERGE_USAGE,
  serve: SERVE_USAGE,
  bridge: BRIDGE_USAGE,
};

export async function runCommand([command = '', ...rest]: readonly string[]): Promise<number> {
  const asks = (...names: string[]): boolean =>
    names.some((name) => splitCommand(rest).before.includes(name));
  if (COMMANDS.includes(command)) {
    if (asks('--help', '-h')) return print(USAGES[command] ?? USAGE);
    if (asks('--version', '-v', '-V')) return print(VERSION);
  }
  switch (command) {
    case 'verify':
      if (asks('--list-scenarios')) return printScenarios();
      return verify(rest);
    case 'verify-page': {
      const { runVerifyPage } = await import('../verifyPage/runVerifyPage.ts');
      return runVerifyPage(parseVerifyPage(rest));
    }
    case 'merge':
      return runMerge(rest);
    case 'serve':
      return runServe(rest);
    case 'bridge':
      return runBridge(rest);
    case '':
    case '--port':
    case '--no-open':
      return runServe(command === '' ? rest : [command, ...rest]);
    case '--version':
    case '-v':
    case '-V':
    case 'version':
      return print(VERSION);
    case '--help':
    case '-h':
    case 'help':
      return print(USAGES[rest[0] ?? ''] ?? USAGE);
    default:
      throw new HarnessError(
        'usage',
        `Unknown command "${command}".${suggest(command, COMMANDS)}\n\n${USAGE}`,
      );
  }
}

/** Loaded late: it needs Playwright, and the other commands don't. */
async function verify(rest: readonly string[]): Promise<number> {
  const command = parseVerify(await readArgsFile(rest, process.stdin), process.env);
  const { runVerify } = await import('./runVerify.ts');
  return runVerify(command, process.env);
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
