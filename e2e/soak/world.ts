/** The server of a trial, with a proxy before it: what a page talks to, and what can go wrong there. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBridge } from '../../bridge/startBridge.ts';
import { rpcError } from '../../targets/core/messages.ts';
import type { TargetOptions } from '../../targets/core/options.ts';
import { startFaultProxy, type FaultProxy } from '../../targets/faultProxy.ts';
import { findProfile } from '../../targets/profiles/index.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { Ledger, type Run } from './ledger.ts';
import type { SoakServer } from './servers.ts';

/** A status that every GET, or every request, gets for a while. */
export interface Refusal {
  readonly status: number;
  readonly of: 'GET' | 'all';
}

export interface World {
  readonly url: string;
  readonly proxy: FaultProxy;
  /** Until it is set to `undefined`. */
  refuse(refusal: Refusal | undefined): void;
  restart(): Promise<void>;
  runs(): Promise<readonly Run[]>;
  close(): Promise<void>;
}

export type OpenWorld = (server: SoakServer) => Promise<World>;

export const openWorld: OpenWorld = (server) => (server.isBridge ? openBridge() : openTarget(server));

/** @param overrides of the profile, for a server that is broken on purpose */
export async function openTarget(
  { name, hasView }: SoakServer,
  overrides: Partial<TargetOptions> = {},
): Promise<World> {
  const ledger = new Ledger();
  let refusal: Refusal | undefined;
  const { around, extraTools = [] } = findProfile(name)?.options() ?? {};
  const target = await startTarget(name, {
    overrides: {
      extraTools: [...extraTools, ledger.tool(hasView ? { hasView } : {})],
      around: async (request, next, sessions) => {
        const isRefused = refusal && (refusal.of === 'all' || request.method === 'GET');
        if (refusal && isRefused) return rpcError(refusal.status, -32000, 'Refused on purpose');
        return around ? around(request, next, sessions) : next(request);
      },
      ...overrides,
    },
  });
  const proxy = await startFaultProxy(target.url);
  return {
    url: `${proxy.origin}/mcp`,
    proxy,
    refuse: (next) => void (refusal = next),
    restart: () => target.control('restart'),
    runs: async () => ledger.runs,
    async close() {
      await proxy.close();
      await target.close();
    },
  };
}

const PROGRAM = fileURLToPath(new URL('stdioWork.mjs', import.meta.url));

async function openBridge(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-soak-'));
  const file = join(folder, 'ledger.jsonl');
  const bridge = await startBridge({
    servers: [
      {
        transport: 'stdio',
        name: 'soak',
        program: {
          command: process.execPath,
          args: [PROGRAM, file],
          env: { PATH: process.env['PATH'] ?? '' },
        },
      },
    ],
  });
  const url = new URL(bridge.servers[0]?.url ?? '');
  const proxy = await startFaultProxy(url.href, { replacesHost: true });
  url.port = String(proxy.port);
  return {
    url: url.href,
    proxy,
    // The bridge is one program: what it answers can't be replaced from outside.
    refuse: () => undefined,
    restart: async () => undefined,
    runs: async () => readRuns(await readFile(file, 'utf8').catch(() => '')),
    async close() {
      await proxy.close();
      await bridge.close(true);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

interface Fact {
  readonly kind: 'started' | 'sent' | 'done' | 'stopped';
  readonly run: string;
  readonly at: number;
  readonly key?: string;
  readonly text?: string;
}

/** The ledger of a stdio program, from the facts that it wrote. */
function readRuns(lines: string): readonly Run[] {
  const facts = lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Fact]));
  return facts
    .filter(({ kind }) => kind === 'started')
    .map(({ run, key = '', at: startedAt }): Run => {
      const own = facts.filter((fact) => fact.run === run);
      const last = own.find(({ kind }) => kind === 'done' || kind === 'stopped');
      const how = last?.kind === 'done' ? 'done' : 'stopped';
      return {
        key,
        startedAt,
        sent: own.flatMap(({ kind, text = '', at }) => (kind === 'sent' ? [{ text, at }] : [])),
        answers: [],
        ...(last && { end: { how, text: last.text ?? '', at: last.at } }),
      };
    });
}
