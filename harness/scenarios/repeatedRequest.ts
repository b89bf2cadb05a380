/** A browser sends a POST again whose connection ends before the head of the response, and tells no page. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Control, Finding, Scenario } from '../context.ts';
import { judgeRepeat, type RepeatVerdict } from '../judge/judgeRepeat.ts';
import { followCall } from '../probe/followCall.ts';
import { rawExchange, type RawSession } from '../probe/rawSession.ts';
import type { RawEvent, SseReader } from '../probe/sseReader.ts';
import { required } from './interrupt.ts';

const ID = 'mcp-reprise-repeated';
/** So long after its time, a call that began with half of it left is over. */
const OVER_MS = 500;

/** Before the response: the response itself doesn't tell one run from another. */
const hasReported = (events: readonly RawEvent[]): boolean =>
  events.some(({ message }) => message?.['method'] !== undefined);

export const repeatedRequest: Scenario = {
  name: 'repeated-request',
  summary: 'sends the same tools/call again after its connection is cut, as browsers do; it must run once',
  needs: ['tool', 'session', 'time'],
  async run(context) {
    const { control, tool } = required(context);
    const session = await context.newRawSession();
    try {
      const startedAt = Date.now();
      const posting = session.call(tool.name, tool.args, ID, context.timeoutMs);
      const head = posting.then(() => Date.now() - startedAt);
      head.catch(() => undefined);
      const first = await cutInTheMiddle(posting, control, context);
      const before = first?.events ?? [];
      // Both runs may answer on one stream, and the first result ends it: without messages no second run would be seen.
      if (!hasReported(before)) await pause(control.durationMs + OVER_MS);
      let found = await repeat(session, before, !hasReported(before), context);
      if (found.verdict.name === 'joined' && !found.verdict.isProven) {
        await pause(control.durationMs + OVER_MS);
        found = await repeat(session, [...before, ...found.events], true, context);
      }
      const { verdict, second } = found;
      const sent = { 'content-type': 'application/json' };
      return {
        ...findingFor(verdict),
        exchange: rawExchange(second, 'POST', sent),
        remarks: [sayHead(first ? await head : undefined, control)],
      };
    } finally {
      await session.close();
    }
  },
};

/** Reads the first half of the call, and cuts its connection; `undefined` if it had no head by then. */
async function cutInTheMiddle(
  posting: Promise<SseReader>,
  control: Control,
  { timeoutMs }: Context,
): Promise<SseReader | undefined> {
  const half = Math.round(control.durationMs / 2);
  // Progress on the standalone stream doesn't come here.
  const own = control.observed.messages.filter(({ stream }) => stream !== 'standalone').length;
  const messages = Math.floor(own / 2);
  const first = await Promise.race([posting, pause(half)]);
  if (!first) {
    void posting.then((reader) => reader.close()).catch(() => undefined);
    return undefined;
  }
  if (messages > 0) await first.until(() => first.messages.length >= messages, timeoutMs);
  else await pause(half);
  await first.close();
  return first;
}

/** @param isTimed whether a second run can only be told by its time, against a new call under the same load */
async function repeat(
  session: RawSession,
  before: readonly RawEvent[],
  isTimed: boolean,
  context: Context,
): Promise<{ verdict: RepeatVerdict; second: SseReader; events: readonly RawEvent[] }> {
  // In another session, as the calls of one may wait for each other, or end each other.
  const other = isTimed ? await context.newRawSession() : undefined;
  try {
    const [second, beside] = await Promise.all([timed(session, context), other && timed(other, context)]);
    const verdict = judgeRepeat({
      status: second.reader.response.status,
      before,
      after: second.events,
      ...(beside && { share: second.tookMs / Math.max(1, beside.tookMs) }),
    });
    return { verdict, second: second.reader, events: second.events };
  } finally {
    await other?.close();
  }
}

async function timed(session: RawSession, { tool, timeoutMs }: Context) {
  const { name = '', args = {} } = tool ?? {};
  const startedAt = Date.now();
  const reader = await session.call(name, args, ID, timeoutMs);
  // A page resumes a stream that ends without the response.
  const events = await followCall(session, reader, ID, timeoutMs);
  return { reader, events, tookMs: Date.now() - startedAt };
}

function findingFor(verdict: RepeatVerdict): Finding {
  const fix =
    'Store the request IDs of a session. If a request with the same ID and body arrives again, respond with the result ' +
    "of the first run, and don't run the tool again.";
  switch (verdict.name) {
    case 'refused':
      return {
        verdict: 'pass',
        why: `The repeated request was rejected (HTTP ${verdict.status}), and the tool didn't run again.`,
      };
    case 'joined':
      return { verdict: 'pass', why: 'The repeated request got the response of the first run.' };
    case 'ran-twice':
      return {
        verdict: 'fail',
        why: `The tool ran twice for one request ID: ${verdict.how}.`,
        fix,
        cause: 'runs-twice',
      };
    case 'unanswered':
      return {
        verdict: 'fail',
        why: 'The repeated request got no response, so a page would wait forever.',
        fix,
        cause: 'runs-twice',
      };
  }
}

function sayHead(headMs: number | undefined, { durationMs }: Control): string {
  return headMs !== undefined && headMs < durationMs / 4
    ? 'The response head is sent immediately, so a browser rarely repeats a call.'
    : 'The response head is not sent immediately. A browser repeats the call if the connection ends before it.';
}
