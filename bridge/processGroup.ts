/** A program and everything that it starts, as one process group: it is ended as a whole, or `npx` leaves its server behind. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** How long it has to end by itself. */
  readonly ending?: Ending;
}

/** From the start of the end: stdin is closed at once. */
export interface Ending {
  readonly termAfterMs: number;
  readonly killAfterMs: number;
}

export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly error?: string;
}

const ENDING: Ending = { termAfterMs: 2000, killAfterMs: 5000 };
/** Where no init collects orphans, a killed one stays in the table of processes. */
const GIVE_UP_MS = 2000;
/** Output that is still in the pipes when the process exits is read for this long: a grandchild may hold them open. */
const DRAIN_MS = 500;
const POLL_MS = 20;

/** Groups that are alive: the last resort when this process exits. */
const alive = new Set<ProcessGroup>();
process.on('exit', () => {
  for (const group of alive) group.signal('SIGKILL');
});

export class ProcessGroup {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has exited and its output was read. */
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #times: Ending;
  #hasExited = false;
  #ending: Promise<void> | undefined;

  constructor({ command, args, env, cwd, ending = ENDING }: Program) {
    this.#times = ending;
    const child = spawn(command, args, {
      env: { ...env },
      ...(cwd !== undefined && { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own on POSIX. It also keeps Ctrl+C of the terminal from the program: the bridge ends it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.stderr = child.stderr;
    // EPIPE of a process that is gone: its exit says more.
    child.stdin.on('error', () => undefined);
    if (child.pid !== undefined) alive.add(this);
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => {
        if (child.pid === undefined)
          this.#settle(resolve, { exitCode: null, signal: null, error: error.message });
      });
      child.once('exit', (exitCode, signal) => {
        this.#hasExited = true;
        const drained = setTimeout(() => this.#settle(resolve, { exitCode, signal }), DRAIN_MS);
        child.once('close', () => {
          clearTimeout(drained);
          this.#settle(resolve, { exitCode, signal });
        });
      });
    });
  }

  /** Closes stdin, then sends SIGTERM, then SIGKILL. Resolves when nothing of the group is left. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  /** Ends the group at once. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.end();
  }

  signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
      else process.kill(-pid, signal);
    } catch {
      // ESRCH: nothing of it is left.
    }
  }

  async #end(): Promise<void> {
    const { termAfterMs, killAfterMs } = this.#times;
    const startedAt = Date.now();
    this.stdin.end();
    let isTermSent = false;
    let isKillSent = false;
    while (this.#isAlive()) {
      const elapsed = Date.now() - startedAt;
      if (elapsed >= killAfterMs + GIVE_UP_MS) break;
      // A process that has exited and left children behind won't end them any more.
      if (!isTermSent && (elapsed >= termAfterMs || this.#hasExited)) {
        isTermSent = true;
        this.signal('SIGTERM');
      }
      if (!isKillSent && elapsed >= killAfterMs) {
        isKillSent = true;
        this.signal('SIGKILL');
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    alive.delete(this);
    await this.exited;
  }

  /** Whether a process of the group is left. */
  #isAlive(): boolean {
    if (this.pid === undefined) return false;
    if (process.platform === 'win32') return !this.#hasExited;
    try {
      process.kill(-this.pid, 0);
      return true;
    } catch {
      return false;
    }
  }

  #settle(resolve: (exit: Exit) => void, exit: Exit): void {
    this.#hasExited = true;
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    resolve(exit);
  }
}
