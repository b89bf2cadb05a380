/** One tool call, followed over every stream and every page load of a recording. Pure. */
import { isObject, objectField, stringField, type JsonObject } from '../../src/base/json.ts';
import {
  isResponseTo,
  metaOf,
  metaVersionOf,
  negotiatedVersion,
  requestIdOf,
  sessionOf,
  type RequestId,
} from './classify.ts';
import type { PageLoad, Recording, WireEvent, WireExchange } from './model.ts';

export interface TracedMessage {
  readonly at: number;
  readonly eventId: string | undefined;
  readonly message: JsonObject;
  readonly isResponse: boolean;
  /** How a page got it first. */
  readonly delivery: 'live' | 'replayed' | 'missed';
  readonly deliveredAt: number | undefined;
  readonly page: PageLoad | undefined;
  readonly duplicates: number;
}

export interface CallTrace {
  readonly post: WireExchange;
  readonly tool: string;
  readonly args: Readonly<JsonObject>;
  readonly requestId: RequestId;
  readonly sessionId: string | undefined;
  readonly protocolVersion: string;
  readonly taskId: string | undefined;
  /** The POST, and every GET that resumed its stream. */
  readonly streams: readonly WireExchange[];
  /** Event IDs of its stream. */
  readonly eventIds: ReadonlySet<string>;
  readonly messages: readonly TracedMessage[];
  /** The response that ends it: of a task, the one with its result. */
  readonly response: TracedMessage | undefined;
  /** Of the last event that a page has received. */
  readonly lastEventId: string | undefined;
}

export const isToolCall = ({ kind, message }: WireExchange): boolean =>
  kind === 'call' && requestIdOf(message) !== undefined;

export function traceCall(recording: Recording, post: WireExchange): CallTrace {
  const params = objectField(post.message, 'params');
  const requestId = requestIdOf(post.message) ?? '';
  const token = metaOf(post.message)?.['progressToken'];
  const sessionId = sessionOf(post);
  const call: Attribution = { post, requestId, token, sessionId };
  const { streams, eventIds, found } = follow(recording, call);
  const taskId = taskIn(found.find(({ isResponse }) => isResponse)?.event.message);
  const polled = taskId === undefined ? [] : taskMessages(recording, post, taskId);
  // The response to the call of a task has no result yet.
  const messages = collect(taskId === undefined ? found : [...found.map(asNotification), ...polled]);
  const own = streams.flatMap(({ events }) => events).filter(({ eventId }) => eventIds.has(eventId ?? ''));
  return {
    post,
    tool: stringField(params, 'name') ?? '',
    args: objectField(params, 'arguments') ?? {},
    requestId,
    sessionId,
    protocolVersion: versionOf(recording, post, sessionId),
    taskId,
    streams,
    eventIds,
    messages,
    response: messages.find(({ isResponse }) => isResponse),
    lastEventId: lastDelivered(own)?.eventId,
  };
}

/** The event that a page received last before this time. */
export function lastDelivered(events: readonly WireEvent[], before = Infinity): WireEvent | undefined {
  return events
    .filter(({ eventId, deliveredAt }) => eventId !== undefined && (deliveredAt ?? Infinity) < before)
    .reduce<WireEvent | undefined>(
      (last, one) => (!last || (one.deliveredAt ?? 0) >= (last.deliveredAt ?? 0) ? one : last),
      undefined,
    );
}

interface Attribution {
  readonly post: WireExchange;
  readonly requestId: RequestId;
  readonly token: unknown;
  readonly sessionId: string | undefined;
}

interface Found {
  readonly event: WireEvent;
  readonly exchange: WireExchange;
  readonly isResponse: boolean;
}

function follow(
  { exchanges }: Recording,
  call: Attribution,
): { streams: WireExchange[]; eventIds: Set<string>; found: Found[] } {
  const streams: WireExchange[] = [];
  const eventIds = new Set<string>();
  const found: Found[] = [];
  for (const exchange of exchanges.slice(call.post.index)) {
    if (exchange.server !== call.post.server) continue;
    const isStream =
      exchange === call.post ||
      (exchange.kind === 'resume' && eventIds.has(exchange.requestHeaders['last-event-id'] ?? ''));
    const isStandalone = exchange.kind === 'listen' || exchange.kind === 'resume';
    if (!isStream && !(isStandalone && sessionOf(exchange) === call.sessionId)) continue;
    if (isStream) streams.push(exchange);
    for (const event of exchange.events) {
      const part = partOf(event.message, call, isStream);
      if (isStream && event.eventId !== undefined && part !== 'foreign') eventIds.add(event.eventId);
      if (event.message && part !== 'foreign')
        found.push({ event, exchange, isResponse: part === 'response' });
    }
  }
  return { streams, eventIds, found };
}

/** Servers put messages on other streams than their own, so the message itself says what it belongs to. */
function partOf(
  message: JsonObject | undefined,
  { requestId, token }: Attribution,
  isStream: boolean,
): 'response' | 'message' | 'foreign' {
  if (!message) return isStream ? 'message' : 'foreign';
  if (message['method'] === undefined) return isResponseTo(message, requestId) ? 'response' : 'foreign';
  const about = objectField(message, 'params')?.['progressToken'];
  if (about !== undefined) return about === token ? 'message' : 'foreign';
  return isStream ? 'message' : 'foreign';
}

/** Each message once, in the order in which the server first sent it. */
function collect(found: readonly Found[]): readonly TracedMessage[] {
  const groups = new Map<string, Found[]>();
  for (const one of [...found].sort((a, b) => a.event.at - b.event.at)) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((copies) => {
    const [first] = copies;
    if (!first?.event.message) return [];
    const received = copies
      .filter(({ event }) => event.deliveredAt !== undefined)
      .sort((a, b) => (a.event.deliveredAt ?? 0) - (b.event.deliveredAt ?? 0));
    const [got] = received;
    return [
      {
        at: first.event.at,
        eventId: copies.find(({ event }) => event.eventId !== undefined)?.event.eventId,
        message: first.event.message,
        isResponse: first.isResponse,
        delivery: !got ? 'missed' : got.exchange.kind === 'resume' ? 'replayed' : 'live',
        deliveredAt: got?.event.deliveredAt,
        page: got?.exchange.page,
        duplicates: Math.max(0, received.length - 1),
      } satisfies TracedMessage,
    ];
  });
}

function keyOf({ event, exchange, isResponse }: Found): string {
  if (isResponse) return 'response';
  const params = objectField(event.message, 'params');
  const progress = params?.['progress'];
  if (params?.['progressToken'] !== undefined && typeof progress === 'number') return `progress ${progress}`;
  if (event.eventId !== undefined) return `id ${event.eventId}`;
  return `${exchange.index} ${exchange.events.indexOf(event)}`;
}

const asNotification = (found: Found): Found => ({ ...found, isResponse: false });

/** The handle in a response that says the call goes on as a task. */
function taskIn(response: JsonObject | undefined): string | undefined {
  const result = objectField(response, 'result');
  const legacy = stringField(objectField(result, 'task'), 'taskId');
  return legacy ?? (result?.['resultType'] === 'task' ? stringField(result, 'taskId') : undefined);
}

/** What pages were told of a task. */
function taskMessages({ exchanges }: Recording, post: WireExchange, taskId: string): Found[] {
  return exchanges
    .slice(post.index)
    .filter(({ server }) => server === post.server)
    .flatMap((exchange) =>
      exchange.events.flatMap((event): Found[] => {
        const isAbout = exchange.kind === 'task' && taskIdOf(exchange.message) === taskId;
        const told = objectField(event.message, 'params');
        if (!isAbout && stringField(told, 'taskId') !== taskId) return [];
        const isAnswer = isAbout && isResponseTo(event.message, requestIdOf(exchange.message));
        const state = isAnswer ? objectField(event.message, 'result') : told;
        const isFetched = isAnswer && stringField(exchange.message, 'method') === 'tasks/result';
        const hasEnd = state !== undefined && (isObject(state['result']) || isObject(state['error']));
        return [{ event, exchange, isResponse: isFetched || hasEnd }];
      }),
    );
}

export const taskIdOf = (message: JsonObject | undefined): string | undefined =>
  stringField(objectField(message, 'params'), 'taskId');

export function versionOf(
  { exchanges }: Recording,
  { requestHeaders, message, server, index }: WireExchange,
  sessionId: string | undefined,
): string {
  const initialize = exchanges.filter(
    (one) =>
      one.kind === 'initialize' &&
      one.server === server &&
      one.index <= index &&
      (sessionId === undefined || sessionOf(one) === sessionId),
  );
  const negotiated = initialize.map(negotiatedVersion).findLast((version) => version !== undefined);
  return metaVersionOf(message) ?? negotiated ?? requestHeaders['mcp-protocol-version'] ?? '2025-03-26';
}

/** What a response says, whichever kind of response it is. */
export function outcomeOf(message: JsonObject): {
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string };
} {
  const state = objectField(message, 'result') ?? objectField(message, 'params');
  const error = objectField(message, 'error') ?? objectField(state, 'error');
  if (error) {
    const code = error['code'];
    return {
      error: { code: typeof code === 'number' ? code : 0, message: stringField(error, 'message') ?? '' },
    };
  }
  return { result: objectField(state, 'result') ?? state ?? {} };
}
