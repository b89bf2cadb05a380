/** A bridge for a browser test, closed with it; the app is served by the bridge too. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { bridgeStatusUrl, type BridgeStatus } from '../../src/base/bridgeContract.ts';
import type { BridgedServer } from '../../bridge/servers.ts';
import { startBridge, type BridgeOptions, type RunningBridge } from '../../bridge/startBridge.ts';
import { expect, range, test as base, type Inspector } from './inspector.ts';

const require = createRequire(import.meta.url);

const nodeProgram = (name: string, script: string, ...args: readonly string[]): BridgedServer => ({
  transport: 'stdio',
  name,
  program: {
    command: process.execPath,
    args: [script, ...args],
    env: { PATH: process.env['PATH'] ?? '' },
    ending: { termAfterMs: 100, killAfterMs: 300 },
  },
});

export const stdioServer = (...flags: readonly string[]): BridgedServer =>
  nodeProgram('stdio-test', join(ROOT, 'bridge/testing/stdioServer.mjs'), ...flags);

export const everythingOverStdio = (): BridgedServer =>
  nodeProgram(
    'server-everything',
    require.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
    'stdio',
  );

export interface TestBridge extends RunningBridge {
  /** Of the first server, token included. */
  readonly url: string;
}

async function start(options: Partial<BridgeOptions> = {}): Promise<TestBridge> {
  const site = process.env['REPRISE_SITE'];
  const bridge = await startBridge({
    servers: [stdioServer()],
    ...(site !== undefined && { site }),
    ...options,
  });
  return { ...bridge, url: bridge.servers[0]?.url ?? '' };
}

export const test = base.extend<{ bridge: typeof start }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  bridge: async ({}, use) => {
    const running: TestBridge[] = [];
    await use(async (options) => {
      const bridge = await start(options);
      running.push(bridge);
      return bridge;
    });
    await Promise.all(running.map((bridge) => bridge.close(true)));
  },
});

/** The state of the page's session, as the bridge reports it. */
export async function statusOf(url: string, sessionId: string): Promise<BridgeStatus> {
  const response = await fetch(bridgeStatusUrl(url), { headers: { 'mcp-session-id': sessionId } });
  return (await response.json()) as BridgeStatus;
}

/** The JSON that a tool of the test server has answered with. */
export async function resultOf(inspector: Inspector, id: string): Promise<unknown> {
  const call = await inspector.untilEnded(id);
  expect(call, JSON.stringify(call).slice(0, 2000)).toMatchObject({ name: 'settled' });
  const { content } = call.result as { content: readonly { text: string }[] };
  return JSON.parse(content[0]?.text ?? 'null');
}

/** The promise, for a countdown behind a bridge: nothing lost, nothing twice, in order, and the result is there. */
export async function expectCounted(inspector: Inspector, id: string, ticks: number): Promise<void> {
  expect(await resultOf(inspector, id)).toEqual(range(ticks));
  expect(await inspector.ticks(id)).toEqual(range(ticks));
}
