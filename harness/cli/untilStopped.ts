/** Runs until the user, the terminal or the program that started it says stop; then ends what was started. */
import { fstatSync } from 'node:fs';

/** npm passes Ctrl+C on to a program that has got it from the terminal already. */
const SAME_STOP_MS = 500;

/** @param close ends everything; `true` at a second Ctrl+C, which gives nothing more time */
export async function untilStopped(close: (now: boolean) => Promise<void>): Promise<void> {
  // A reader that has its link may close the pipe. That is no reason to end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    let stoppedAt: number | undefined;
    const stop = () => {
      const now = Date.now();
      if (stoppedAt !== undefined && now - stoppedAt < SAME_STOP_MS) return;
      const isSecond = stoppedAt !== undefined;
      stoppedAt ??= now;
      void close(isSecond).then(resolve, resolve);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    if (!isPipe(0)) return;
    // A program that starts a bridge and dies without a signal closes this pipe.
    process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
  });
  process.stdin.destroy();
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
