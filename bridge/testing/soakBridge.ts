/** Stdio servers behind a bridge for the soak: pages that leave and return, processes that crash, and none left behind. */
import { fileURLToPath } from 'node:url';
import { findProblem, type Member } from '../../targets/testing/crowd.ts';
import { eventually } from '../../targets/testing/eventually.ts';
import { RawClient } from '../../targets/testing/rawClient.ts';
import { isMessageFrame } from '../../targets/testing/rawStream.ts';
import { startBridge } from '../startBridge.ts';

/** Each is a process. */
const SESSIONS = 4;
const RELOADS = 3;
const SERVER = fileURLToPath(new URL('stdioServer.mjs', import.meta.url));

export interface SoakBridge {
  /** Returns what went wrong. */
  playRound(round: number): Promise<readonly string[]>;
  /** Returns the processes that are left. */
  close(): Promise<readonly number[]>;
}

export async function soakBridge(): Promise<SoakBridge> {
  const pids: number[] = [];
  const bridge = await startBridge({
    servers: [
      {
        transport: 'stdio',
        name: 'soak',
        program: { command: process.execPath, args: [SERVER], env: { PATH: process.env['PATH'] ?? '' } },
      },
    ],
    notify: (notice) => {
      if (notice.name === 'started') pids.push(notice.pid);
    },
  });
  const url = bridge.servers[0]?.url ?? '';
  return {
    async playRound(round) {
      const ticks = 20 + (round % 10);
      const problems = await Promise.all(Array.from({ length: SESSIONS }, () => playMember(url, ticks)));
      await playCrash(url);
      return problems.flatMap((problem) => problem ?? []);
    },
    async close() {
      await bridge.close();
      await eventually('every process has ended', () => !pids.some(isAlive)).catch(() => undefined);
      return pids.filter(isAlive);
    },
  };
}

/** A call over some reloads, then the end of the session. */
async function playMember(url: string, ticks: number): Promise<string | undefined> {
  const client = await RawClient.connect(url);
  // Log messages of a stdio server belong to no call, so each tick is one message here.
  const member: Member = { client, seen: [] };
  let stream = await client.call('countdown', { ticks, intervalMs: 10 });
  for (let reload = 0; reload < RELOADS; reload += 1) {
    member.seen.push(...(await stream.readUntil(isMessageFrame)));
    stream.leave();
    stream = await client.get(member.seen.at(-1)?.id);
  }
  member.seen.push(...(await stream.readAll()));
  await client.delete();
  return findProblem(member, ticks, ticks + 1);
}

async function playCrash(url: string): Promise<void> {
  const client = await RawClient.connect(url);
  await (await client.call('crash', { code: 1 })).readAll();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
