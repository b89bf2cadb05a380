/** The server of `--start`: started with a shell, waited for, and ended with everything that it has started. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { HarnessError } from '../harnessError.ts';
import { printable } from './printable.ts';

export interface StartedServer {
  /** Its end and its last lines, if it has ended by itself. */
  whyDied(): string | undefined;
  close(): Promise<void>;
}

const IS_WINDOWS = process.platform === 'win32';
const TRY_AGAIN_MS = 100;
const TERM_MS = 5000;
const LAST_WORDS_MS = 1000;
const LAST_LINES = 20;

export async function startServer(
  command: string,
  url: string,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<StartedServer> {
  const { host } = new URL(url);
  if (await listens(url)) {
    throw new HarnessError('usage', `A server is already running on ${host}. Stop it, or remove --start.`);
  }
  // A group of its own: a shell or npm would die alone, and leave the server behind.
  const child = spawn(command, { shell: true, detached: !IS_WINDOWS, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = lastLinesOf(child);
  const ended = once(child, 'close');
  const endAll = (): void => signal(child, 'SIGKILL');
  process.once('exit', endAll);
  const close = async (): Promise<void> => {
    process.off('exit', endAll);
    signal(child, 'SIGTERM');
    const isEnded = await Promise.race([ended.then(() => true), pause(TERM_MS, false, { ref: false })]);
    if (!isEnded) signal(child, 'SIGKILL');
  };
  const whyDied = (): string | undefined => {
    const { exitCode, signalCode } = child;
    if (exitCode === null && signalCode === null) return undefined;
    return `"${command}" ended (${signalCode ?? `exit code ${exitCode}`}).${output()}`;
  };
  for (const endsAt = Date.now() + timeoutMs; !(await listens(url));) {
    const hasDied = whyDied() !== undefined;
    if (!hasDied && Date.now() < endsAt) {
      await Promise.race([pause(TRY_AGAIN_MS), ended]);
      continue;
    }
    // Its last lines may come after its end. What the shell has started may go on without it.
    if (hasDied) await Promise.race([ended, pause(LAST_WORDS_MS)]);
    const died = hasDied ? whyDied() : undefined;
    await close();
    const why = died ?? `"${command}" didn't listen on ${host} within ${timeoutMs / 1000} s.${output()}`;
    throw new HarnessError('unreachable', why);
  }
  return { whyDied, close };
}

/** "Its last lines:" and what they are. */
function lastLinesOf({ stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-10_000)));
  }
  return () => {
    const lines = printable(text).trimEnd().split('\n').slice(-LAST_LINES);
    return lines.join('') === '' ? ' It printed nothing.' : ` Its last lines:\n${lines.join('\n')}`;
  };
}

function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) });
    const answer = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', answer(true)).once('error', answer(false));
  });
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    if (IS_WINDOWS) return void spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    process.kill(-pid, name);
  } catch {
    // All of them have ended.
  }
}
