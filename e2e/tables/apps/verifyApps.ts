/**
 * `npm run verify:apps [-- name …]`: the example servers of MCP Apps, each behind the bridge. Renders a view of each in
 * Chromium, reloads the page, and prints a table: renders, survives, what it tried. The last line is one JSON object.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { viewUriOf } from '../../../src/apps/toolView.ts';
import { freePort } from '../../../scripts/lib/freePort.mjs';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { serverEnvironment } from '../../../bridge/environment.ts';
import type { BridgedServer } from '../../../bridge/servers.ts';
import { startBridge } from '../../../bridge/startBridge.ts';
import { requiredArguments } from '../../../harness/chooseTool.ts';
import { appEntries, gotResult, isBlank, isInitialized, untilApp } from '../../../harness/page/appView.ts';
import { Inspector } from '../../../harness/page/inspector.ts';
import { Stage } from '../../../harness/page/stage.ts';
import { install } from '../public/install.ts';
import { EXAMPLE_SERVERS, type ExampleServer } from './exampleServers.ts';

interface Row {
  readonly server: string;
  readonly version: string;
  readonly tool: string;
  readonly renders: string;
  readonly survives: string;
  readonly tried: string;
}

const LOOPBACK_ONLY = pathToFileURL(join(ROOT, 'e2e/conformance/loopbackOnly.mjs')).href;

const { positionals } = parseArgs({ allowPositionals: true });
const chosen = EXAMPLE_SERVERS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const packages = Object.fromEntries(EXAMPLE_SERVERS.map(({ name, version }) => [name, version]));
const folder = install({ packages, language: 'TypeScript' });
const stage = await Stage.open({ headed: false }, console.error);
const rows: Row[] = [];
try {
  for (const server of chosen) {
    const row = await look(server).catch((error: unknown) => failed(server, String(error)));
    console.error(Object.values(row).join(' · '));
    rows.push(row);
  }
} finally {
  await stage.close();
}

function failed({ name, version }: ExampleServer, why: string): Row {
  const [line = ''] = why.split('\n');
  return {
    server: name,
    version,
    tool: '–',
    renders: `no: ${line.slice(0, 200)}`,
    survives: '–',
    tried: '–',
  };
}

async function look(server: ExampleServer): Promise<Row> {
  const { name, version } = server;
  const program = await start(server);
  const bridge = await startBridge({ servers: [program.server] });
  const browser = await stage.browser({ withoutCors: false });
  const context = await browser.newContext();
  try {
    const inspector = await Inspector.open(context, stage.site.url, { timeoutMs: 60_000 });
    const state = await inspector.connect(bridge.servers[0]?.url ?? '', {});
    if (state.name !== 'connected') return failed(server, `can't connect: ${state.name}`);
    const tools = await inspector.tools();
    const tool = tools.find((one) => (server.tool ?? one.name) === one.name && viewUriOf(one) !== undefined);
    if (!tool) return failed(server, 'has no tool with a view');
    const id = await inspector.call(tool.name, server.args ?? requiredArguments(tool));
    const shown = { inspector, id };
    const first = await judge(shown);
    await inspector.reload();
    const second = await judge(shown);
    const findings = (await appEntries(inspector, id)).filter(({ step }) => step === 'finding');
    const tried = [...new Set(findings.map(({ finding = '', appText = '' }) => `${finding}: ${appText}`))];
    const note = server.wantsNetwork ? ' (needs the network)' : '';
    return {
      server: name,
      version,
      tool: tool.name,
      renders: `${first}${note}`,
      survives: second,
      tried: tried.slice(0, 6).join('; ') || 'nothing',
    };
  } finally {
    await context.close();
    await bridge.close();
    program.stop();
  }
}

/** As a program of the bridge; or, without stdio, on a port that only this machine can reach. */
async function start({ name, isHttp }: ExampleServer): Promise<{ server: BridgedServer; stop: () => void }> {
  const file = join(folder, 'node_modules', name, 'dist/index.js');
  const env = serverEnvironment(process.env, []).values;
  if (isHttp !== true) {
    const program = { command: process.execPath, args: [file, '--stdio'], env };
    return { server: { transport: 'stdio', name, program }, stop: () => undefined };
  }
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', LOOPBACK_ONLY, file], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const url = `http://localhost:${port}/mcp`;
  return { server: { transport: 'http', name, url, headers: {} }, stop: () => void child.kill() };
}

async function judge(shown: { readonly inspector: Inspector; readonly id: string }): Promise<string> {
  if (!(await untilApp(shown, isInitialized))) return 'no: not initialized';
  const call = await shown.inspector.untilEnded(shown.id, 30_000);
  if (call.result && !(await untilApp(shown, gotResult))) return 'no: no result';
  if (await isBlank(shown)) return 'no: empty';
  return 'isError' in (call.result ?? {}) ? 'yes, with a tool error' : 'yes';
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
console.log(
  [
    '| server | version | tool | renders | survives a reload | blocked |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ server, version, tool, renders, survives, tried }) =>
        `| ${[server.replace('@modelcontextprotocol/', ''), version, tool, renders, survives, tried].map(cell).join(' | ')} |`,
    ),
  ].join('\n'),
);
const survives = rows.filter((row) => row.survives.startsWith('yes')).length;
console.log(
  JSON.stringify({
    servers: rows.length,
    renders: rows.filter((row) => row.renders.startsWith('yes')).length,
    survives,
  }),
);
process.exitCode = survives === rows.length && rows.length > 0 ? 0 : 1;
