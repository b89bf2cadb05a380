/** What only a look at the wire can tell: positions that are wrong, or that belong to somebody else. */
import { setTimeout as pause } from 'node:timers/promises';
import { plural } from '../../src/base/format.ts';
import { objectField, type JsonObject } from '../../src/base/json.ts';
import type { Scenario } from '../context.ts';
import { followCall } from '../probe/followCall.ts';
import { NoResponse, rawExchange, type RawSession } from '../probe/rawSession.ts';
import type { RawEvent, SseReader } from '../probe/sseReader.ts';
import { required } from './interrupt.ts';

const NEEDS = ['session', 'event-ids'] as const;
const NO_SUCH_EVENT = 'mcp-reprise-no-such-event';
/** A busy server may take so long to say something. */
const SILENCE_MS = 4000;
const STILL_HELD_MS = 6000;

export const unknownCursor: Scenario = {
  name: 'unknown-cursor',
  summary: 'resumes with an unknown Last-Event-ID, which must be rejected',
  needs: NEEDS,
  async run(context) {
    const session = await context.newRawSession();
    try {
      const reader = await session.get(NO_SUCH_EVENT);
      const { status, ok } = reader.response;
      if (ok) await reader.until(() => reader.messages.length > 0, SILENCE_MS);
      const exchange = rawExchange(reader, 'GET', { 'last-event-id': NO_SUCH_EVENT });
      if (status >= 400 && status < 500) {
        return { verdict: 'pass', why: `An unknown Last-Event-ID is rejected (HTTP ${status}).` };
      }
      const fix =
        'Respond with 400 or 404 to an unknown Last-Event-ID, so that the client can recover. With the TypeScript ' +
        'SDK, add getStreamIdForEventId to the event store. Its transport then responds with 400.';
      const why = ok
        ? `An unknown Last-Event-ID returns HTTP ${status} and ${whatFollows(reader)}.`
        : `An unknown Last-Event-ID causes a server error (HTTP ${status}).`;
      return { verdict: 'fail', why, fix, cause: 'unknown-event-id', exchange };
    } finally {
      await session.close();
    }
  },
};

/** What a client would see of such a stream. */
export function whatFollows({ messages, ended }: Pick<SseReader, 'messages' | 'ended'>): string {
  if (messages.length > 0) return 'unrelated messages';
  return ended
    ? 'a stream that ends without events, so a page would resume again and again'
    : 'no events, so a page would wait forever';
}

export const streamIsolation: Scenario = {
  name: 'stream-isolation',
  summary: "resumes one of two calls, whose stream must contain only that call's messages",
  needs: NEEDS,
  async run(context) {
    const { tool, control } = required(context);
    const session = await context.newRawSession();
    try {
      const [one, other] = [
        await session.call(tool.name, tool.args, 'reprise-one', context.timeoutMs),
        await session.call(tool.name, tool.args, 'reprise-other', context.timeoutMs),
      ];
      const position = await firstPosition(one, context.timeoutMs);
      const limitMs = control.durationMs * 2 + SILENCE_MS;
      await followCall(session, other, 'reprise-other', limitMs, hasMessages);
      const isEnded = one.ended || one.messages.some(({ id }) => id === 'reprise-one');
      await one.close();
      if (position === undefined) return { verdict: 'unsupported', why: 'No event of the call had an ID.' };
      const resumed = await resume(session, position);
      const exchange = rawExchange(resumed, 'GET', { 'last-event-id': position });
      if (!resumed.response.ok) {
        const { status } = resumed.response;
        const why = `The server rejected the resume (HTTP ${status}), so there's no stream to check.`;
        return { verdict: 'unsupported', why, exchange };
      }
      const events = await followCall(session, resumed, 'reprise-one', limitMs);
      const foreign = events.filter(({ message }) => message && belongsTo(message, 'reprise-other')).length;
      if (foreign > 0) {
        const why = `The resumed stream of one call contained ${plural(foreign, 'message')} of another call.`;
        const fix = 'Replay only events from the stream of Last-Event-ID (2025-11-25, Resumability).';
        return {
          verdict: 'fail',
          why,
          fix,
          cause: 'events-of-other-streams',
          exchange: rawExchange(resumed, 'GET', { 'last-event-id': position }),
        };
      }
      const isOver = resumed.messages.some(({ id }) => id === 'reprise-one');
      const remarks = isOver && !(await resumed.until(() => resumed.ended, 1000)) ? [staysOpen(isEnded)] : [];
      return {
        verdict: 'pass',
        why: "The resumed stream contained only its own call's messages.",
        ...(remarks.length > 0 && { remarks }),
      };
    } finally {
      await session.close();
    }
  },
};

/** Some servers close a stream that was resumed during the call, and leave one open that brings only a replay. */
const staysOpen = (isEnded: boolean): string =>
  `A stream that was resumed ${isEnded ? 'after its end' : 'during the call'} stays open after the response. ` +
  'The server should close it (2025-11-25, Streamable HTTP).';

export const sessionIsolation: Scenario = {
  name: 'session-isolation',
  summary: 'resumes with an event ID from another session, which must return none of its messages',
  needs: NEEDS,
  async run(context) {
    const { tool, control } = required(context);
    const owner = await context.newRawSession();
    const stranger = await context.newRawSession();
    try {
      const own = await owner.call(tool.name, tool.args, 'reprise-owner', context.timeoutMs);
      const position = await firstPosition(own, context.timeoutMs);
      // What isn't stored yet can't be read by anybody.
      await followCall(owner, own, 'reprise-owner', control.durationMs * 2 + SILENCE_MS, hasMessages);
      if (position === undefined) return { verdict: 'unsupported', why: 'No event of the call had an ID.' };
      const stolen = await stranger.get(position);
      if (stolen.response.ok) await stolen.until(() => stolen.messages.length > 0, SILENCE_MS);
      const leaked = stolen.messages.filter((message) => belongsTo(message, 'reprise-owner')).length;
      if (leaked === 0) {
        return { verdict: 'pass', why: 'An event ID from another session returned none of its messages.' };
      }
      return {
        verdict: 'fail',
        why: `An event ID from another session exposed ${plural(leaked, 'message')} of that session.`,
        fix: 'Store events per session, and resolve Last-Event-ID only within the requesting session.',
        cause: 'other-session-readable',
        exchange: rawExchange(stolen, 'GET', {
          'mcp-session-id': '‹another session›',
          'last-event-id': position,
        }),
      };
    } finally {
      await owner.close();
      await stranger.close();
    }
  },
};

export const standaloneStream: Scenario = {
  name: 'standalone-stream',
  summary: 'resumes the standalone stream',
  needs: NEEDS,
  async run(context) {
    const session = await context.newRawSession();
    try {
      const first = await session.get().catch(unlessNoResponse);
      if (!first) {
        const why = "The standalone stream sent no response within 15 s, so there's nothing to resume from.";
        return { verdict: 'unsupported', why };
      }
      if (!first.response.ok) {
        const why = `The server has no standalone stream (HTTP ${first.response.status}).`;
        return { verdict: 'unsupported', why };
      }
      const position = await firstPosition(first, SILENCE_MS);
      if (position === undefined) {
        const why = "The standalone stream sent no event ID within 4 s, so there's nothing to resume from.";
        return { verdict: 'unsupported', why };
      }
      const beside = await session.get();
      const allowsOne = beside.response.status === 409;
      await beside.close();
      await first.close();
      const resumed = await resume(session, position);
      const exchange = rawExchange(resumed, 'GET', { 'last-event-id': position });
      if (!resumed.response.ok) {
        const why = `The standalone stream couldn't be resumed from its own event ID (HTTP ${resumed.response.status}).`;
        const fix = 'Resolve event IDs of the standalone stream like those of any other stream.';
        return { verdict: 'fail', why, fix, cause: 'standalone-not-resumed', exchange };
      }
      const again = await session.get();
      const why = 'The standalone stream was resumed from its own event ID.';
      if (!allowsOne || !again.response.ok) return { verdict: 'pass', why };
      return {
        verdict: 'fail',
        why:
          "The server accepts a resume of the standalone stream but doesn't treat it as that stream. " +
          'It accepts a second standalone stream too, and the resumed one gets no events.',
        fix: 'Don\'t derive the stream by splitting the event ID. "_GET_stream_1" starts with "_".',
        cause: 'standalone-not-resumed',
        exchange,
      };
    } finally {
      await session.close();
    }
  },
};

const hasMessages = (events: readonly RawEvent[]): boolean =>
  events.filter(({ message }) => message !== undefined).length > 1;

function unlessNoResponse(error: unknown): undefined {
  if (!(error instanceof NoResponse)) throw error;
}

async function firstPosition(reader: SseReader, timeoutMs: number): Promise<string | undefined> {
  const find = () => reader.events.find(({ id }) => id !== undefined)?.id;
  await reader.until(() => find() !== undefined, timeoutMs);
  return find();
}

/** A server may need a moment to notice that the old connection is gone (409). */
async function resume(session: RawSession, position: string): Promise<SseReader> {
  const endsAt = Date.now() + STILL_HELD_MS;
  for (;;) {
    const reader = await session.get(position);
    if (reader.response.status !== 409 || Date.now() > endsAt) return reader;
    await reader.close();
    await pause(100);
  }
}

function belongsTo(message: JsonObject, id: string): boolean {
  return message['id'] === id || objectField(message, 'params')?.['progressToken'] === id;
}
