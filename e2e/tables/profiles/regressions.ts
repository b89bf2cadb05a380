/** Servers that were once judged wrongly, beside the profiles: a part of the same table. */
import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { stringField } from '../../../src/base/json.ts';
import { z } from 'zod';
import { MemoryEventStore } from '../../../targets/core/memoryEventStore.ts';
import { rpcError } from '../../../targets/core/messages.ts';
import type { TargetOptions } from '../../../targets/core/options.ts';
import { pause } from '../../../targets/core/pause.ts';
import type { Session } from '../../../targets/core/session.ts';
import { textResult } from '../../../targets/core/toolContext.ts';
import { defineTool } from '../../../targets/core/toolTable.ts';
import { startHarmful } from './harmfulServer.ts';
import type { Expected } from './expected.ts';

/** Keeps every event; what of them a replay brings is decided by their number. */
function replayingOnly(isReplayed: (number: number) => boolean): () => EventStore {
  return () => {
    const store = new MemoryEventStore();
    let stored = 0;
    const numbers = new Map<string, number>();
    return {
      storeEvent: async (streamId, message) => {
        const eventId = await store.storeEvent(streamId, message);
        numbers.set(eventId, (stored += 1));
        return eventId;
      },
      replayEventsAfter: (lastEventId, { send }) =>
        store.replayEventsAfter(lastEventId, {
          send: async (eventId, message) => {
            if (isReplayed(numbers.get(eventId) ?? 0)) await send(eventId, message);
          },
        }),
      getStreamIdForEventId: (eventId) => store.getStreamIdForEventId(eventId),
    };
  };
}

/** The first two events of a stream in one piece, as a slow middleware leaves them. */
function inOnePiece(response: Response): Response {
  const reader = response.body?.getReader();
  let first: Uint8Array | undefined;
  const body = new ReadableStream<Uint8Array>({
    async start() {
      first = (await reader?.read())?.value;
    },
    async pull(controller) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      const piece = new Uint8Array([...(first ?? []), ...(value ?? [])]);
      first = undefined;
      if (piece.length > 0) controller.enqueue(piece);
      if (done) controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(body, response);
}

/** Does not know a session whose client has left, until that sends `initialize` with the old session ID. */
function asleep(): Partial<TargetOptions> {
  const sleeping = new WeakSet<Session>();
  return {
    onStreamEnd: (session, how) => void (how === 'left' && sleeping.add(session)),
    around: async (request, next, sessions) => {
      const session = sessions.find(request);
      if (!session || !sleeping.has(session)) return next(request);
      const body: unknown = request.method === 'POST' ? await request.clone().json() : undefined;
      if (stringField(body, 'method') !== 'initialize') return rpcError(404, -32001, 'Session not found');
      sleeping.delete(session);
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        serverInfo: { name: 'asleep', version: '1' },
      };
      const { id } = body as { id: unknown };
      return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': session.id } });
    },
  };
}

/** Respects one origin, as the standard asks for, and rejects every other one. */
export const allowingOnly = (allowed: string | undefined): Partial<TargetOptions> => ({
  around: async (request, next) => {
    const origin = request.headers.get('origin');
    return origin === null || origin === allowed ? next(request) : rpcError(403, -32000, 'Forbidden: Origin');
  },
});

/** Takes longer to reject a GET without a session than a page waits for the sign that there are sessions. */
const slowWithoutSession: Partial<TargetOptions> = {
  around: async (request, next) => {
    const isBare = request.method === 'GET' && !request.headers.has('mcp-session-id');
    if (isBare) await pause(2500, request.signal);
    return next(request);
  },
};

/** Accepts any event ID, and closes the stream of one that it does not know at once. */
const emptyStream: Partial<TargetOptions> = {
  around: async (request, next) => {
    const response = await next(request);
    const isUnknown = request.headers.has('last-event-id') && response.status === 400;
    return isUnknown
      ? new Response(': nothing\n\n', { headers: { 'content-type': 'text/event-stream' } })
      : response;
  },
};

/** Says something else each time, and nothing on its way. */
const clock = defineTool({
  name: 'clock',
  title: 'Clock',
  description: 'Waits, and tells the time.',
  input: z.object({ afterMs: z.number().default(0) }),
  run: async ({ afterMs }, context) => {
    await pause(afterMs, context.signal);
    return textResult(`${Date.now()} ${crypto.randomUUID()}`);
  },
});

/** Can't be called without its arguments. */
const exportData = defineTool({
  name: 'export_data',
  title: 'Export',
  description: 'Exports a table.',
  input: z.object({ table: z.enum(['orders', 'users']), format: z.enum(['csv', 'json']) }),
  run: async (_args, context) => {
    for (let step = 1; step <= 12; step += 1) {
      await pause(150, context.signal);
      await context.progress(step, 12, `step ${step}`);
    }
    return textResult('exported');
  },
});

/** Its last progress comes in the control calls, and in no later one: a race in a server looks like that. */
function racingTool() {
  let calls = 0;
  return defineTool({
    name: 'race',
    title: 'Race',
    description: 'Leaves its last progress out after a while.',
    input: z.object({}),
    run: async (_args, context) => {
      calls += 1;
      const last = calls > 2 ? 11 : 12;
      for (let step = 1; step <= last; step += 1) {
        await pause(150, context.signal);
        await context.progress(step, 12, `step ${step}`);
      }
      return textResult('done');
    },
  });
}

export const REGRESSIONS: readonly Expected[] = [
  {
    name: 'harmful-tools',
    profile: '',
    start: startHarmful,
    tool: null,
    args: null,
    outcome: null,
    exitCode: 4,
    fails: [],
    story: ['control', 'reload-mid-call'],
    says: { control: { why: 'Specify one with --tool' } },
  },
  {
    name: 'silent-16s',
    profile: 'silent-json',
    args: { ticks: 1, intervalMs: 16_000 },
    outcome: 'D',
    exitCode: 1,
    fails: ['reload-mid-call'],
    story: ['reload-mid-call'],
    says: { 'reload-mid-call': { why: "doesn't send event IDs" } },
  },
  {
    name: 'unanswered-session',
    profile: 'resumable',
    overrides: () => ({ refuseUnknown: () => new Promise<Response>(() => undefined) }),
    outcome: 'A',
    exitCode: 1,
    fails: ['ended-session'],
    story: ['reload-mid-call', 'ended-session'],
    says: { 'ended-session': { why: 'gets no response instead' } },
  },
  {
    name: 'empty-stream',
    profile: 'resumable',
    overrides: () => emptyStream,
    outcome: 'A',
    exitCode: 0,
    fails: ['unknown-cursor'],
    story: ['reload-mid-call', 'unknown-cursor'],
    says: { 'unknown-cursor': { why: 'a stream that ends without events' } },
  },
  {
    name: 'one-origin',
    profile: 'resumable',
    overrides: ({ origin }) => allowingOnly(origin),
    outcome: 'A',
    exitCode: 0,
    fails: [],
    passes: ['cors', 'reload-mid-call'],
    story: ['cors', 'reload-mid-call'],
  },
  {
    name: 'other-origin',
    profile: 'resumable',
    overrides: () => allowingOnly(undefined),
    outcome: null,
    exitCode: 1,
    fails: ['cors'],
    story: ['cors', 'reload-mid-call'],
    says: { cors: { why: 'rejects requests from' } },
  },
  {
    name: 'post-only-cors',
    profile: 'stateless',
    cors: 'post-only',
    outcome: 'S',
    exitCode: 0,
    fails: [],
    passes: ['cors'],
    story: ['cors', 'reload-mid-call'],
  },
  {
    name: 'blocked-with-sessions',
    profile: 'no-cors',
    outcome: null,
    exitCode: 1,
    fails: ['cors'],
    story: ['cors', 'reload-mid-call'],
  },
  {
    name: 'controls-that-differ',
    profile: 'no-replay',
    overrides: () => ({ extraTools: [clock] }),
    tool: 'clock',
    args: { afterMs: 1500 },
    outcome: 'D',
    exitCode: 1,
    fails: ['reload-mid-call'],
    story: ['reload-mid-call'],
    says: { 'reload-mid-call': { lost: 1 } },
  },
  {
    name: 'required-arguments',
    profile: 'resumable',
    overrides: () => ({ extraTools: [exportData] }),
    tool: 'export_data',
    args: null,
    outcome: 'A',
    exitCode: 0,
    fails: [],
    passes: ['control', 'reload-mid-call'],
    story: ['reload-mid-call'],
  },
  // What comes in one call that is left alone and not in the next isn't lost by a reload.
  {
    name: 'races-with-itself',
    profile: 'resumable',
    overrides: () => ({ extraTools: [racingTool()] }),
    tool: 'race',
    args: {},
    outcome: 'A',
    exitCode: 0,
    fails: [],
    passes: ['reload-mid-call', 'reload-after-result'],
    story: ['reload-mid-call', 'reload-after-result'],
  },
  {
    name: 'fast-tool',
    profile: 'no-replay',
    args: { ticks: 1, intervalMs: 1 },
    outcome: null,
    exitCode: 4,
    fails: [],
    passes: ['reload-after-result'],
    story: ['cors', 'reload-mid-call', 'reload-after-result'],
  },
  {
    name: 'tool-error',
    profile: 'resumable',
    tool: 'fail',
    args: { afterMs: 600 },
    outcome: null,
    exitCode: 1,
    fails: ['control'],
    story: ['control', 'reload-mid-call'],
  },
  {
    name: 'replays-nothing',
    profile: 'resumable',
    overrides: () => ({ createEventStore: replayingOnly(() => false) }),
    args: { ticks: 12, intervalMs: 300 },
    outcome: 'D',
    exitCode: 1,
    fails: ['reload-mid-call', 'finish-while-away'],
    story: ['reload-mid-call', 'finish-while-away'],
  },
  {
    name: 'asleep',
    profile: 'resumable',
    overrides: asleep,
    outcome: 'C',
    exitCode: 1,
    fails: ['reload-mid-call'],
    story: ['reload-mid-call'],
  },
  {
    name: 'dual-slow-to-reject',
    profile: 'dual',
    overrides: () => slowWithoutSession,
    outcome: 'A',
    exitCode: 0,
    fails: [],
    passes: ['reload-mid-call', 'finish-while-away'],
    story: ['reload-mid-call', 'finish-while-away'],
  },
  {
    name: 'dual-without-sessions',
    profile: 'dual',
    revision: 'stateless',
    outcome: 'S',
    exitCode: 0,
    fails: [],
    passes: ['reload-cancels'],
    story: ['reload-cancels'],
  },
  {
    name: 'loses-one-in-twenty',
    profile: 'resumable',
    overrides: () => ({ createEventStore: replayingOnly((number) => number % 20 !== 0) }),
    outcome: 'A',
    exitCode: 1,
    fails: ['finish-while-away'],
    story: ['finish-while-away'],
    args: { ticks: 40, intervalMs: 50 },
  },
  {
    name: 'primed-in-one-piece',
    profile: 'resumable',
    overrides: () => ({ shape: (response, kind) => (kind === 'post' ? inOnePiece(response) : response) }),
    outcome: 'A',
    exitCode: 0,
    fails: [],
    passes: ['reload-before-first-event'],
    story: ['reload-before-first-event'],
  },
  // The stream of the call brings its response alone, and a second run looks like the first.
  {
    name: 'runs-twice-with-progress-on-get',
    profile: 'progress-on-get',
    overrides: () => ({ runsRepeats: true }),
    exitCode: 1,
    fails: ['repeated-request'],
    story: ['repeated-request'],
  },
  // Both runs answer on the second stream, and the first result ends it: only a repetition after the end shows the second.
  {
    name: 'silent-runs-twice',
    profile: 'silent-json',
    overrides: () => ({ runsRepeats: true }),
    exitCode: 1,
    fails: ['repeated-request'],
    story: ['repeated-request'],
  },
];
