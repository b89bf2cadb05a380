/** Servers of the registry whose tools answer at once: calls that a reload catches in the middle, each run once. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../../../harness/contract.ts';
import { Inspector } from '../../../harness/page/inspector.ts';
import type { Stage } from '../../../harness/page/stage.ts';

export interface FastServer {
  readonly name: string;
  readonly args: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  readonly call: (n: number, folder: string) => readonly [tool: string, args: object];
  /** @returns what is wrong with the calls */
  readonly judge: (calls: readonly Call[], folder: string) => Promise<readonly string[]>;
}

const CALLS = Array.from({ length: 12 }, (_, i) => i + 1);

export const FAST_SERVERS: readonly FastServer[] = [
  {
    name: '@modelcontextprotocol/server-filesystem@2026.8.31',
    args: (folder) => [folder],
    call: (n, folder) => ['write_file', { path: join(folder, `${n}.txt`), content: `file ${n}` }],
    judge: async (_calls, folder) => {
      const files = (await readdir(folder)).filter((name) => name.endsWith('.txt'));
      return files.length === CALLS.length ? [] : [`${files.length} of ${CALLS.length} files were written`];
    },
  },
  {
    name: '@modelcontextprotocol/server-memory@2026.8.31',
    args: () => [],
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    call: (n) => [
      'create_entities',
      { entities: [{ name: `entity ${n}`, entityType: 'test', observations: [] }] },
    ],
    // Each call returns what it has created, and nothing if it runs again. The graph itself doesn't tell: this server
    // reads and writes its file without a lock, and loses entities that are created at the same time.
    judge: async (calls) =>
      calls
        .map(({ result }, at) => ({ n: CALLS[at], text: JSON.stringify(result) }))
        .filter(({ n, text }) => !text.includes(`entity ${n}\\`))
        .map(({ n, text }) => `entity ${n} was not created: ${text}`),
  },
];

/** Twelve calls, a reload at once, another one after a moment: every result is there. */
export async function playFast(
  { call, judge }: FastServer,
  url: string,
  folder: string,
  stage: Stage,
): Promise<readonly string[]> {
  const browser = await stage.browser({ withoutCors: false });
  const context = await browser.newContext();
  try {
    const inspector = await Inspector.open(context, stage.site.url, { timeoutMs: 60_000 });
    const state = await inspector.connect(url, {});
    if (state.name !== 'connected') return [`the page is ${state.name}`];
    const ids: string[] = [];
    for (const n of CALLS) ids.push(await inspector.call(...call(n, folder)));
    await inspector.reload();
    await inspector.reload(() => pause(200));
    const calls: Call[] = [];
    for (const id of ids) calls.push(await inspector.untilEnded(id));
    const lost = calls.filter(({ name }) => name !== 'settled');
    return [
      ...lost.map(({ name, why = '' }) => `a call is ${name}: ${why}`),
      ...(await judge(calls, folder)),
    ];
  } finally {
    await context.close();
  }
}

export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'reprise-bridge-'));
  await writeFile(join(folder, 'README.md'), 'A folder of `npm run verify:bridge`.\n');
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
