/**
 * `npm run verify:bridge [-- name …]`: servers that can't resume or that a page can't reach, each behind a bridge. All of
 * them must have outcome A there, with the note that it is the bridge's. The last line is one JSON object.
 */
import { parseArgs } from 'node:util';
import { serverEnvironment } from '../../../bridge/environment.ts';
import type { BridgedServer } from '../../../bridge/servers.ts';
import { startBridge, type RunningBridge } from '../../../bridge/startBridge.ts';
import { startTarget } from '../../../targets/startTarget.ts';
import { Stage } from '../../../harness/page/stage.ts';
import type { Report } from '../../../harness/report/facts.ts';
import { verify } from '../../../harness/verify.ts';
import { FAST_SERVERS, inFolder, playFast } from './fastServers.ts';

const PROFILES = ['stateless', 'json', 'no-replay', 'no-cors', 'hidden-session', 'sse'] as const;
const EVERYTHING = '@modelcontextprotocol/server-everything@2026.8.31';
const COUNTDOWN = { tool: 'countdown', args: { ticks: 12, intervalMs: 150 } };

const { positionals } = parseArgs({ allowPositionals: true });
const isChosen = (name: string): boolean =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));

interface Row {
  readonly name: string;
  readonly outcome: string;
  readonly grade: string;
  readonly problems: readonly string[];
}

const stage = await Stage.open({ headed: false }, console.error);
const rows: Row[] = [];
try {
  for (const profile of PROFILES.filter(isChosen)) {
    const target = await startTarget(profile);
    const server: BridgedServer = { transport: 'http', name: profile, url: target.url, headers: {} };
    rows.push(await behindBridge(server, (bridged) => judge(profile, bridged, COUNTDOWN)));
    await target.close();
  }
  if (isChosen(EVERYTHING)) {
    rows.push(await behindBridge(npx(EVERYTHING, ['stdio']), (url) => judge(EVERYTHING, url, {})));
  }
  for (const fast of FAST_SERVERS.filter(({ name }) => isChosen(name))) {
    const { name, args, env } = fast;
    const row = await inFolder((folder) =>
      behindBridge(npx(name, args(folder), env?.(folder)), async (url) => {
        const problems = await playFast(fast, url, folder, stage);
        return { name, outcome: '–', grade: '12 calls over two reloads', problems };
      }),
    );
    rows.push(row);
  }
} finally {
  await stage.close();
}

async function judge(name: string, url: string, call: { tool?: string; args?: object }): Promise<Row> {
  const progress = {
    say: (text: string) => console.error(`${name}: ${text}`),
    started: () => undefined,
    ended: ({ name: scenario, verdict, why }: Report['scenarios'][number]) =>
      console.error(`  ${verdict.padEnd(11)} ${scenario}: ${why}`),
  };
  const options = { headers: {}, reloads: 2, timeoutMs: 60_000, allowNoCors: false, seed: 1 };
  const { signal } = new AbortController();
  const { report } = await verify({ url, ...call, ...options }, stage, progress, signal);
  const { outcome, grade, bridge, scenarios } = report;
  const failed = scenarios.filter(({ verdict }) => verdict === 'fail').map((one) => one.name);
  const problems = [
    ...(outcome === 'A' ? [] : ["the outcome isn't A"]),
    // A server that replays by itself gets CORS from the bridge, and has no grade of its own either.
    ...(bridge && grade.startsWith('bridged') ? [] : ["the grade isn't that of the bridge"]),
    ...(failed.length > 0 ? [`fails ${failed.join(', ')}`] : []),
  ];
  return { name, outcome: outcome ?? '–', grade: `${grade}, ${bridge?.note ?? 'no note'}`, problems };
}

async function behindBridge(server: BridgedServer, work: (url: string) => Promise<Row>): Promise<Row> {
  const bridge: RunningBridge = await startBridge({ servers: [server] });
  try {
    return await work(bridge.servers[0]?.url ?? '');
  } finally {
    await bridge.close();
  }
}

/** As a user starts it: npx, which has the server as its child. */
function npx(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): BridgedServer {
  const { values } = serverEnvironment(process.env, ['npm_config_registry', 'npm_config_cache']);
  const program = { command: 'npx', args: ['-y', name, ...args], env: { ...values, ...env } };
  return { transport: 'stdio', name, program };
}

console.log(
  [
    '| server | outcome | grade | problems |',
    '|---|---|---|---|',
    ...rows.map(
      ({ name, outcome, grade, problems }) =>
        `| ${name} | ${outcome} | ${grade} | ${problems.join('; ') || '–'} |`,
    ),
  ].join('\n'),
);
const sound = rows.filter(({ problems }) => problems.length === 0).length;
console.log(JSON.stringify({ servers: rows.length, sound }));
process.exitCode = sound === rows.length && rows.length > 0 ? 0 : 1;
