/** Starts a browser or its driver, and waits for the line in which it says that it listens; and ends browsers. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Missing } from './engine.ts';

const STARTS_WITHIN_MS = 60_000;

export interface Running {
  readonly child: ChildProcess;
  readonly match: RegExpMatchArray;
  /** By SIGTERM, unless another signal is given. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export async function start(
  commands: readonly string[],
  args: readonly string[],
  says: RegExp,
  env: NodeJS.ProcessEnv = {},
): Promise<Running> {
  for (const command of commands) {
    const running = await tryStart(command, args, says, env);
    if (running) return running;
  }
  throw new Missing(`None of these commands exists: ${commands.join(', ')}.`);
}

function tryStart(
  command: string,
  args: readonly string[],
  says: RegExp,
  env: NodeJS.ProcessEnv,
): Promise<Running | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const exited = new Promise<void>((done) => child.once('exit', () => done()));
    const stop = (signal?: NodeJS.Signals) => {
      child.kill(signal);
      return exited;
    };
    child.once('exit', (code) => reject(new Error(`${command} ended at once (${code ?? 'by a signal'}).`)));
    const timer = setTimeout(() => {
      void stop();
      reject(new Error(`${command} doesn't listen after ${STARTS_WITHIN_MS / 1000} s.`));
    }, STARTS_WITHIN_MS);
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on('line', (line) => {
        const match = says.exec(line);
        if (!match) return;
        clearTimeout(timer);
        resolve({ match, child, stop });
      });
    }
  });
}

/** Ends every program that has this text among its arguments, such as the folder of a profile, by SIGKILL. */
export async function killByArgument(text: string): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args='], { maxBuffer: 10_000_000 });
  for (const line of stdout.split('\n').filter((one) => one.includes(text))) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It has ended by itself, as children do.
    }
  }
}
