/** Many clients with a running call each, which all leave at once and come back. */
import type { RunningTarget } from '../startTarget.ts';
import { eventually } from './eventually.ts';
import { RawClient } from './rawClient.ts';
import { isMessageFrame, isResponseFrame, type RawFrame } from './rawStream.ts';
import { openStreams } from './openStreams.ts';

export interface CrowdOptions {
  readonly sessions: number;
  readonly ticks: number;
  readonly intervalMs: number;
  /** How often everybody leaves. */
  readonly reloads?: number;
}

export interface CrowdResult {
  /** Calls whose result came, with every notification once and in order. */
  readonly whole: number;
  /** What went wrong with the others. */
  readonly problems: readonly string[];
}

export interface Member {
  readonly client: RawClient;
  readonly seen: RawFrame[];
}

export async function sendCrowd(target: RunningTarget, options: CrowdOptions): Promise<CrowdResult> {
  const { sessions, ticks, intervalMs, reloads = 1 } = options;
  const clients = await Promise.all(Array.from({ length: sessions }, () => RawClient.connect(target.url)));
  const before = openStreams(target);
  const members: Member[] = clients.map((client) => ({ client, seen: [] }));
  let streams = await Promise.all(
    members.map(({ client }) => client.call('countdown', { ticks, intervalMs })),
  );
  for (let reload = 0; reload < reloads; reload += 1) {
    await Promise.all(
      streams.map(async (stream, at) => members[at]?.seen.push(...(await stream.readUntil(isMessageFrame)))),
    );
    for (const stream of streams) stream.leave();
    await eventually('the server notices that all are gone', () => openStreams(target) <= before);
    streams = await Promise.all(members.map(({ client, seen }) => client.get(seen.at(-1)?.id)));
  }
  await Promise.all(streams.map(async (stream, at) => members[at]?.seen.push(...(await stream.readAll()))));
  const problems = members.flatMap((member) => findProblem(member, ticks) ?? []);
  return { whole: sessions - problems.length, problems };
}

/** What is missing or wrong in what a member has received of its countdown. */
export function findProblem(
  { client, seen }: Member,
  ticks: number,
  expected = 2 * ticks + 1,
): string | undefined {
  const messages = seen.filter(isMessageFrame);
  const who = `session ${client.sessionId ?? '?'}`;
  if (!messages.slice(-1).some(isResponseFrame)) return `${who}: no result`;
  if (messages.length !== expected) return `${who}: ${messages.length} messages instead of ${expected}`;
  const progress = messages.flatMap(
    ({ message }) => (message?.['params'] as { progress?: number })?.progress ?? [],
  );
  const isInOrder = progress.every((value, at) => value === at + 1);
  return isInOrder ? undefined : `${who}: progress came as ${progress.join(' ')}`;
}
