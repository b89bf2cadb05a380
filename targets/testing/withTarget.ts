/** A target for one test, closed when the test ends. */
import { onTestFinished } from 'vitest';
import { startTarget, type RunningTarget, type StartOptions } from '../startTarget.ts';
import { eventually } from './eventually.ts';
import { openStreams } from './openStreams.ts';
import type { RawStream } from './rawStream.ts';

export async function withTarget(profile: string, options?: StartOptions): Promise<RunningTarget> {
  const target = await startTarget(profile, options);
  onTestFinished(() => target.close());
  return target;
}

/** Leaves, and waits until the server has noticed. */
export async function leaveNoticed(target: RunningTarget, stream: RawStream): Promise<void> {
  const before = openStreams(target);
  stream.leave();
  await eventually('the server notices that the client is gone', () => openStreams(target) < before);
}
