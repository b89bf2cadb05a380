/** What only a look at the wire can tell: positions that are wrong, or that belong to somebody else. */
import { setTimeout as pause } from 'node:timers/promises';
import { count } from '../../src/base/words.ts';
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
  summary: 'a position that the server never gave is refused, not answered with silence',
  needs: NEEDS,
  async run(context) {
    const session = await context.newRawSession();
    try {
      const reader = await session.get(NO_SUCH_EVENT);
      const { status, ok } = reader.response;
      if (ok) await reader.until(() => reader.messages.length > 0, SILENCE_MS);
      const exchange = rawExchange(reader, 'GET', { 'last-event-id': NO_SUCH_EVENT });
      if (status >= 400 && status < 500) {
        return { verdict: 'pass', why: `A position that does not exist is refused (${status}).` };
      }
      const fix =
        'Answer a Last-Event-ID that you cannot resolve with 400 or 404, so that the client knows. With the TypeScript ' +
        'SDK, add getStreamIdForEventId to the event store: its transport then responds with 400.';
      const why = ok
        ? `A position that does not exist gets ${status} and ${whatFollows(reader)}.`
        : `A position that does not exist makes the server fail (${status}).`;
      return { verdict: 'fail', why, fix, cause: 'unknown-event-id', exchange };
    } finally {
      await session.close();
    }
  },
};

/** What a client would see of such a stream. */
export function whatFollows({ messages, ended }: Pick<SseReader, 'messages' | 'ended'>): string {
  if (messages.length > 0) return 'messages that nobody asked for';
  return ended
    ? 'an empty stream that ends: a page would ask again and again'
    : 'silence: a page would wait for ever';
}

export const streamIsolation: Scenario = {
  name: 'stream-isolation',
  summary: "a resumed stream brings its own call's messages, and no other's",
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
      if (position === undefined) return { verdict: 'unsupported', why: 'No event of the call had an id.' };
      const resumed = await resume(session, position);
      const exchange = rawExchange(resumed, 'GET', { 'last-event-id': position });
      if (!resumed.response.ok) {
        const { status } = resumed.response;
        const why = `The server refused to resume (${status}), so there is no stream to look into.`;
        return { verdict: 'unsupported', why, exchange };
      }
      const events = await followCall(session, resumed, 'reprise-one', limitMs);
      const foreign = events.filter(({ message }) => message && belongsTo(message, 'reprise-other')).length;
      if (foreign > 0) {
        const why = `The resumed stream of one call brought ${count(foreign, 'message')} of another one.`;
        const fix =
          'Replay only events of the stream that Last-Event-ID belongs to (2025-11-25, Resumability).';
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
        why: 'The resumed stream brought the messages of its own call and no others.',
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
  summary: "another session's event id does not bring its messages",
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
      if (position === undefined) return { verdict: 'unsupported', why: 'No event of the call had an id.' };
      const stolen = await stranger.get(position);
      if (stolen.response.ok) await stolen.until(() => stolen.messages.length > 0, SILENCE_MS);
      const leaked = stolen.messages.filter((message) => belongsTo(message, 'reprise-owner')).length;
      if (leaked === 0) {
        return { verdict: 'pass', why: "Another session's event id brought none of its messages." };
      }
      return {
        verdict: 'fail',
        why: `With an event id of another session, ${count(leaked, 'message')} of that session could be read.`,
        fix: 'Keep events apart by session, and resolve Last-Event-ID only within the session that asks.',
        cause: 'other-session-readable',
        exchange: rawExchange(stolen, 'GET', {
          'mcp-session-id': '‹the session of a stranger›',
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
  summary: 'the stream for messages that belong to no call can be resumed as well',
  needs: NEEDS,
  async run(context) {
    const session = await context.newRawSession();
    try {
      const first = await session.get().catch(unlessNoResponse);
      if (!first) {
        const why = 'The standalone stream sent no response within 15 s, so there is nothing to resume from.';
        return { verdict: 'unsupported', why };
      }
      if (!first.response.ok) {
        const why = `The server offers no standalone stream (${first.response.status}).`;
        return { verdict: 'unsupported', why };
      }
      const position = await firstPosition(first, SILENCE_MS);
      if (position === undefined) {
        const why = 'The standalone stream named no position within 4 s, so there is nothing to resume from.';
        return { verdict: 'unsupported', why };
      }
      const beside = await session.get();
      const allowsOne = beside.response.status === 409;
      await beside.close();
      await first.close();
      const resumed = await resume(session, position);
      const exchange = rawExchange(resumed, 'GET', { 'last-event-id': position });
      if (!resumed.response.ok) {
        const why = `The standalone stream could not be resumed from its own position (${resumed.response.status}).`;
        const fix = 'Resolve the event ids of the standalone stream as those of any other.';
        return { verdict: 'fail', why, fix, cause: 'standalone-not-resumed', exchange };
      }
      const again = await session.get();
      const why = 'The standalone stream was resumed from its own position.';
      if (!allowsOne || !again.response.ok) return { verdict: 'pass', why };
      return {
        verdict: 'fail',
        why:
          'A resume of the standalone stream is let in and then not treated as that stream: ' +
          'a second one is accepted beside it, and the resumed one stays silent.',
        fix: 'Find the stream of an event id without cutting the id apart: "_GET_stream_1" begins with "_".',
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
