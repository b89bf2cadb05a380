/** Turns the frames of one chunk into log entries: parsed once, attributed to their call, duplicates dropped. */
import { parseBounded } from '../base/boundedJson.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Draft, RunDraft } from '../log/entry/draft.ts';
import { makesCall, parseWireId } from '../log/protocol/wireId.ts';
import type { Reason } from '../log/reasons/reason.ts';
import { QUESTION_METHODS } from '../log/state/question.ts';
import { TASK_METHODS } from '../log/state/receivedTask.ts';
import type { Frame } from '../wire/exchange.ts';
import { callOf, isAnswer, isForeign, mayBeForeign, namedCall } from './callOf.ts';
import { CountedShapes } from './countedShapes.ts';
import type { FrameContext } from './frameContext.ts';
import { FrameDrafts } from './frameDrafts.ts';
import type { Known } from './replayFilter.ts';
import type { Forwarded, Recorded } from './serverLog.ts';

export interface RecordedFrames extends Recorded {
  readonly drafts: readonly (Draft | RunDraft)[];
}

const EXCERPT_CHARS = 400;
const NO_DRAFTS: readonly Draft[] = [];

export function recordFrames(frames: readonly Frame[], context: FrameContext): RecordedFrames {
  const drafts = new FrameDrafts(context);
  const forward: Forwarded[] = [];
  let eventId: string | undefined;
  /** Has the last entry the event ID of another stream? */
  let isAstray = false;
  const responses: string[] = [];
  // Of one message alone the state needs all: it is parsed in any case.
  const counts = frames.length > 1 ? new CountedShapes(context) : undefined;
  for (const frame of frames) {
    const form = counts?.formOf(frame.data);
    const messages = form ? undefined : parse(frame.data, context);
    // A batch is stored message by message: there would be nothing to compare it with.
    const stored = messages?.length === 1 ? messages[0]?.safe.raw : undefined;
    const isOther = form ? counts?.isForeign(form) === true : isForeign(messages?.[0]?.message, context);
    const known = note(frame, form ? frame.data : (stored ?? ''), context, isOther);
    const isOwn = isPosition(known, form ? [{ message: form.sample }] : messages, context);
    if (frame.id !== undefined && isOwn) eventId = frame.id;
    if (known !== 'new') {
      if (frame.data !== '') drafts.push(duplicate(frame, context));
      continue;
    }
    if (frame.id !== undefined) isAstray = !isOwn;
    if (frame.data === '') {
      if (frame.id !== undefined) drafts.push(position(frame.id, context));
      continue;
    }
    const shape = form && counts?.count(frame.data, form);
    if (shape) {
      drafts.pushCounted(frame, shape);
      continue;
    }
    const parsed = messages ?? parse(frame.data, context);
    if (!parsed) {
      drafts.push(malformed(frame, NOT_JSON_RPC, context));
      continue;
    }
    for (const { data, message, safe } of parsed) {
      const callId = callOf(message, context);
      drafts.push(received(frame, safe, callId, context));
      if (callId !== undefined) drafts.push(...ranAgain(callId, message, context));
      const forwarded = forSdk(message, data, context);
      if (forwarded) forward.push(forwarded);
      if (isAnswer(message) && typeof message['id'] === 'string') responses.push(message['id']);
    }
    if (parsed.length === 1 && parsed[0]?.data === frame.data) counts?.learn(frame.data, parsed[0].message);
  }
  const own = eventId ?? context.cursor;
  // A stored entry moves its stream to its event ID, and that of another stream would resume the other one.
  if (isAstray && own !== undefined) drafts.push(position(own, context));
  const { all, isNew } = drafts.finish();
  return { drafts: all, forward, eventId, isNew, responses };
}

const NOT_JSON_RPC: Reason = { code: 'not-json' };

function malformed(frame: Frame, reason: Reason, context: FrameContext): Draft {
  const { stream, callId, redactor } = context;
  return {
    body: {
      kind: 'malformed',
      stream,
      ...(frame.id !== undefined && { eventId: frame.id }),
      ...(callId !== undefined && { callId }),
      reason,
      excerpt: redactor.text(frame.data.slice(0, EXCERPT_CHARS)),
    },
  };
}

function note(frame: Frame, text: string, { stream, listens, seen }: FrameContext, isOther: boolean): Known {
  const { id: eventId } = frame;
  return eventId === undefined ? 'new' : seen.note({ stream, eventId, text, listens: listens || isOther });
}

/**
 * Is the event ID one of this stream? Where a GET brings events of other streams too, only what names the call of the
 * stream surely is; the standalone stream has no call, and what comes after a replay is its own.
 */
function isPosition(
  known: Known,
  messages: readonly Pick<Parsed, 'message'>[] | undefined,
  context: FrameContext,
): boolean {
  const { callId, replaying } = context;
  if (known === 'elsewhere') return false;
  if (!mayBeForeign(context) || !messages) return true;
  if (known === 'here') return false;
  if (callId === undefined && replaying) return false;
  return messages.every(({ message }) => namedCall(message) === callId);
}

function duplicate({ id = '' }: Frame, { stream, callId }: FrameContext): Draft {
  return {
    body: { kind: 'duplicate', stream, eventId: id, ...(callId !== undefined && { callId }) },
  };
}

function position(eventId: string, { stream, callId }: FrameContext): Draft {
  return { body: { kind: 'position', stream, eventId, ...(callId !== undefined && { callId }) } };
}

/** @param kept the message as it is kept: redacted, so that a state folded from it can be stored too */
function received(
  frame: Frame,
  kept: { readonly message: JsonObject; readonly raw: string },
  callId: string | undefined,
  context: FrameContext,
): Draft {
  const { message, raw } = kept;
  const method = message['method'];
  const body: { -readonly [K in keyof Received]: Received[K] } = {
    kind: 'received',
    stream: context.stream,
    raw,
  };
  if (frame.id !== undefined) body.eventId = frame.id;
  if (context.replaying) body.replayed = true;
  if (callId !== undefined) body.callId = callId;
  if (typeof method === 'string') body.method = method;
  return { body, message };
}

/** What a message of a call shows of a second run, where none is known yet. */
function ranAgain(callId: string, message: JsonObject, { runs, calls }: FrameContext): readonly Draft[] {
  const reason = runs.message(callId, message);
  if (!reason || calls.get(callId)?.runs !== undefined) return NO_DRAFTS;
  return [{ body: { kind: 'call', callId, change: { name: 'ran-again', runs: 2, reason } } }];
}

type Received = Extract<Draft['body'], { kind: 'received' }>;

/** Notifications are read from the log, questions are answered by a person and their tasks polled: the peer sees none. */
function forSdk(message: JsonObject, data: string, { calls }: FrameContext): Forwarded | undefined {
  const { id, method } = message;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  if (typeof method !== 'string') return endsCall(id, calls) ? undefined : { data, responseTo: id };
  return QUESTION_METHODS.has(method) || TASK_METHODS.has(method) ? undefined : { data };
}

/** A call is settled by the log: nobody waits for its response, which may be large. */
function endsCall(id: string | number, calls: FrameContext['calls']): boolean {
  const wireId = parseWireId(String(id));
  return makesCall(wireId) && calls.has(wireId.callId);
}

interface Parsed {
  readonly message: JsonObject;
  /** Its text: of a message of a batch, or of one that was nested too deep, printed again. */
  readonly data: string;
  /** As both may be kept. */
  readonly safe: { readonly message: JsonObject; readonly raw: string };
}

/** A message, or a batch of them (MCP 2025-03-26 allows an array). */
function parse(data: string, { redactor }: FrameContext): readonly Parsed[] | undefined {
  try {
    const { value, text } = parseBounded(data);
    const parsed = (message: JsonObject, raw: string) => ({
      message,
      data: raw,
      safe: redactor.message(message, raw),
    });
    if (!Array.isArray(value)) return isMessage(value) ? [parsed(value, text)] : undefined;
    const messages: readonly unknown[] = value;
    if (!messages.every(isMessage)) return undefined;
    return messages.map((message) => parsed(message, JSON.stringify(message)));
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JsonObject {
  return isObject(value) && value['jsonrpc'] === '2.0';
}
