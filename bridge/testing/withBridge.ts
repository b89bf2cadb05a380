/** A bridge for one test, with a stdio server of tests, closed when the test ends. */
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Notice } from '../notices.ts';
import type { BridgedServer } from '../servers.ts';
import { startBridge, type BridgeOptions, type RunningBridge } from '../startBridge.ts';

const SERVER = fileURLToPath(new URL('stdioServer.mjs', import.meta.url));

export const stdioServer = (...flags: string[]): BridgedServer => ({
  transport: 'stdio',
  name: 'stdio-test',
  program: {
    command: process.execPath,
    args: [SERVER, ...flags],
    env: { PATH: process.env['PATH'] ?? '' },
    ending: { termAfterMs: 500, killAfterMs: 1000 },
  },
});

export interface TestBridge extends RunningBridge {
  /** Of the first server, token included. */
  readonly url: string;
  readonly notices: readonly Notice[];
}

export async function withBridge(options: Partial<BridgeOptions> = {}): Promise<TestBridge> {
  const notices: Notice[] = [];
  const bridge = await startBridge({
    servers: [stdioServer()],
    notify: (notice) => notices.push(notice),
    ...options,
  });
  onTestFinished(() => bridge.close(true));
  return { ...bridge, url: bridge.servers[0]?.url ?? '', notices };
}
