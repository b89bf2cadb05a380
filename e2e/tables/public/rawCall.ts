/** One call of a tool over raw HTTP: left alone, cut and resumed, repeated, and beside others. */
import { setTimeout as pause } from 'node:timers/promises';
import { objectField, type JsonObject } from '../../../src/base/json.ts';
import type { RawCall } from './rawCheck.ts';
import type { CallFacts, CutFacts, RepeatFacts } from './rawFacts.ts';
import type { RawRequest } from './rawRequest.ts';
import type { RawClient } from './rawSteps.ts';

const CALL_MS = 90_000;
/** A resumed stream that is silent for longer than this has stalled. */
const STALL_MS = 4000;
/** Below this a call is over before a page can be loaded again. */
const INTERRUPTIBLE_MS = 400;

export type InSession = <T>(title: string, step: (client: RawClient) => Promise<T>) => Promise<T>;
type Alone = Omit<CallFacts, 'cut' | 'repeated' | 'foreign'>;

export async function checkCall(call: RawCall, inSession: InSession): Promise<CallFacts> {
  const alone = await inSession('a call without interruption', (client) => leaveAlone(client, call));
  if (alone.isError || alone.durationMs < INTERRUPTIBLE_MS) return alone;
  return {
    ...alone,
    cut: await inSession('a call whose connection is cut', (client) => cutAndResume(client, call, alone)),
    repeated: await inSession('the same request twice', (client) => repeat(client, inSession, call, alone)),
    ...(alone.givesEventIds && {
      resumes: await resumeMany(call, inSession, alone),
      foreign: await inSession('two calls, and another session', (client) =>
        lookAcross(client, inSession, call, alone),
      ),
    }),
  };
}

async function leaveAlone(client: RawClient, { tool, args }: RawCall): Promise<Alone> {
  // Progress may come on the standalone stream, so it is listened to as a page does.
  const standalone = client.get();
  await standalone.untilHead(1000);
  const request = client.call(tool, args, 'alone');
  await request.untilHead(CALL_MS);
  const headMs = Date.now() - request.startedAt;
  const followed = await follow(client, request, 'alone', CALL_MS);
  const durationMs = Date.now() - request.startedAt;
  await pause(300);
  const elsewhere = standalone.messages.filter((message) => belongsTo(message, 'alone'));
  if (elsewhere.length > 0) client.write(`  ${elsewhere.length} of its messages on the standalone stream`);
  const [first] = request.events;
  const result = objectField(followed.response, 'result');
  return {
    response: request.isStream ? 'stream' : 'json',
    headMs,
    durationMs,
    messages: followed.messages.length + elsewhere.length,
    isError: result === undefined || result['isError'] === true,
    givesEventIds: request.events.some(({ id }) => id !== undefined),
    isPrimed: first?.id !== undefined && first.message === undefined,
  };
}

interface Followed {
  readonly messages: readonly JsonObject[];
  readonly events: RawRequest['events'];
  readonly response: JsonObject | undefined;
}

/** Reads a stream to the response of a call; one that the server ends on purpose is asked for again. */
async function follow(client: RawClient, from: RawRequest, id: string, withinMs: number): Promise<Followed> {
  const endsAt = Date.now() + withinMs;
  const messages: JsonObject[] = [];
  const events: RawRequest['events'][number][] = [];
  for (let request = from; ;) {
    const current = request;
    await current.until(() => current.responseTo(id) !== undefined, endsAt - Date.now());
    client.show(current);
    messages.push(...current.messages);
    events.push(...current.events);
    const response = current.responseTo(id);
    const position = current.lastEventId;
    if (response || !current.ended || position === undefined || Date.now() > endsAt)
      return { messages, events, response };
    await pause(250);
    request = await client.resume(position);
    if (request.status !== 200) return { messages, events, response };
  }
}

async function cutAndResume(client: RawClient, { tool, args }: RawCall, alone: Alone): Promise<CutFacts> {
  const post = client.call(tool, args, 'cut');
  const third = Math.max(1, Math.floor(alone.messages / 3));
  await post.until(() => post.messages.length >= third, alone.durationMs / 3);
  await post.until(() => !alone.givesEventIds || post.lastEventId !== undefined, alone.durationMs / 3);
  client.show(post);
  post.cut();
  client.write('  (cut)');
  await pause(Math.min(alone.durationMs / 3, 1500));
  const before = post.messages.map(fingerprint);
  const seen: string[] = [];
  let position = post.lastEventId;
  let stalled = false;
  let status: number | undefined;
  let result = false;
  for (const endsAt = Date.now() + alone.durationMs * 2 + 15_000; Date.now() < endsAt && !result;) {
    const request = position === undefined ? client.get() : await client.resume(position);
    await request.untilHead(alone.durationMs + 3000);
    status ??= request.status;
    const patienceMs = position === undefined ? alone.durationMs + 3000 : STALL_MS;
    // A server may ping for ever, and that says nothing of the call.
    const heard = (): number => request.events.filter(({ message }) => !isPing(message)).length;
    for (let known = -1; known < heard() && request.responseTo('cut') === undefined && !request.ended;) {
      known = heard();
      await request.until(() => heard() > known, Math.max(patienceMs, alone.durationMs / 2));
    }
    client.show(request);
    seen.push(
      ...request.messages
        .filter((message) => belongsTo(message, 'cut') || ('method' in message && !isPing(message)))
        .map(fingerprint),
    );
    result = request.responseTo('cut') !== undefined;
    const wasSilent = !result && !request.ended;
    const next = request.lastEventId ?? position;
    const isOver = request.status !== 200 || position === undefined || (next === position && stalled);
    request.cut();
    if (isOver) break;
    stalled ||= wasSilent;
    position = next;
    await pause(250);
  }
  const { request: ping } = await client.ask('ping');
  return {
    before: post.messages.length,
    resumed: status ?? null,
    after: seen.filter((one) => !before.includes(one)).length,
    again: seen.filter((one) => before.includes(one)).length,
    result,
    stalled: stalled && result,
    ping: ping.status ?? null,
  };
}

async function repeat(
  client: RawClient,
  inSession: InSession,
  { tool, args }: RawCall,
  alone: Alone,
): Promise<RepeatFacts> {
  const first = client.call(tool, args, 'twice');
  const half = Math.floor(alone.messages / 2);
  await first.until(() => half > 0 && first.messages.length >= half, alone.durationMs / 2);
  client.show(first);
  first.cut();
  // Without a message of the first POST, a second run shows only by its time, and only after the first is over.
  const wasSilent = first.messages.length === 0;
  if (wasSilent) await pause(alone.durationMs + 500);
  const second = client.call(tool, args, 'twice');
  // A call may take longer the first time, so a new one under the same load is the measure.
  const limitMs = alone.durationMs * 2 + 5000;
  const besideMs = wasSilent
    ? inSession('a call beside it', async (other) => {
        const beside = other.call(tool, args, 'beside');
        await beside.until(() => beside.responseTo('beside') !== undefined, limitMs);
        return elapsedMs(beside);
      })
    : undefined;
  await second.untilHead(limitMs);
  const { messages, events, response } = await follow(client, second, 'twice', limitMs);
  const tookMs = elapsedMs(second);
  const had = new Set(first.messages.map(fingerprint));
  const ids = new Set(first.events.flatMap(({ id }) => id ?? []));
  const hasSameEventIds = events.some(({ id }) => id !== undefined && ids.has(id));
  return {
    status: second.status ?? null,
    wasSilent,
    progressAgain: messages.some((message) => 'method' in message && had.has(fingerprint(message))),
    hasSameEventIds,
    isAnswered: response !== undefined,
    share: Math.round((tookMs / ((await besideMs) ?? alone.durationMs)) * 100) / 100,
  };
}

const RESUMES = 40;

/** A message may be sent while a replay is under way, and get lost between the two: one resume rarely shows that. */
async function resumeMany({ tool, args }: RawCall, inSession: InSession, alone: Alone) {
  const resumeOne = (_: unknown, at: number): Promise<boolean> =>
    inSession(`a call that is cut and resumed, ${at + 1} of ${RESUMES}`, async (client) => {
      const post = client.call(tool, args, 'again');
      await post.until(() => post.messages.length >= alone.messages / 3, alone.durationMs / 3);
      await post.until(() => post.lastEventId !== undefined, alone.durationMs / 3);
      post.cut();
      await pause((at * alone.durationMs) / RESUMES / 3);
      const stream = await client.resume(post.lastEventId ?? '');
      const rest = await follow(client, stream, 'again', alone.durationMs * 2 + 5000);
      const came = new Set([...post.messages, ...rest.messages].map(fingerprint));
      return came.size >= alone.messages;
    });
  const whole = await Promise.all(Array.from({ length: RESUMES }, resumeOne));
  return { tries: RESUMES, lossy: whole.filter((isWhole) => !isWhole).length };
}

const elapsedMs = ({ startedAt }: RawRequest): number => Date.now() - startedAt;

async function lookAcross(client: RawClient, inSession: InSession, { tool, args }: RawCall, alone: Alone) {
  const one = client.call(tool, args, 'one');
  const other = client.call(tool, args, 'other');
  await one.until(() => one.lastEventId !== undefined, alone.durationMs + 5000);
  const position = one.events.find(({ id }) => id !== undefined)?.id;
  // To its end, so that there is something of both to be replayed.
  await follow(client, other, 'other', alone.durationMs + 5000);
  one.cut();
  if (position === undefined) return { status: null, ofOtherCall: 0, ofOtherSession: 0 };
  const ofOtherSession = await inSession('the other session asks with that event ID', async (stranger) => {
    const stolen = stranger.get(position);
    await stolen.until(() => stolen.messages.length > 0, 2000);
    stranger.show(stolen);
    return stolen.messages.filter((message) => belongsTo(message, 'one')).length;
  });
  const resumed = await client.resume(position);
  await resumed.until(() => resumed.responseTo('one') !== undefined, alone.durationMs + 3000);
  client.show(resumed);
  return {
    status: resumed.status ?? null,
    ofOtherCall: resumed.messages.filter((message) => belongsTo(message, 'other')).length,
    ofOtherSession,
  };
}

function belongsTo(message: JsonObject, id: string): boolean {
  return message['id'] === id || objectField(message, 'params')?.['progressToken'] === id;
}

const isPing = (message: JsonObject | undefined): boolean => message?.['method'] === 'ping';

const fingerprint = (message: JsonObject): string => JSON.stringify(message);
