/** Reads from the page's log what happened to one call. Pure: entries in, facts out. */
import type { Call, Entry } from '../contract.ts';
import type { Exchange } from '../report/facts.ts';
import type { Received } from './compare.ts';

export interface CallMessage extends Received {
  readonly at: number;
  readonly load: number;
  readonly replayed: boolean;
  readonly eventId: string | undefined;
}

export interface Observed {
  readonly call: Call;
  readonly messages: readonly CallMessage[];
  readonly duplicatesAt: readonly number[];
  readonly givesEventIds: boolean;
  readonly blindWindowMs: number | undefined;
  /** The last one of the call that the page had when it left. */
  readonly lastEventId: string | undefined;
  /** Of everything that the page has received, whatever it belongs to. */
  readonly eventIds: ReadonlySet<string>;
  /** For each load after the one that made the call. */
  readonly returns: readonly Return[];
  /** From the end of a connection to the next one, with the page there all the time. */
  readonly breaks: readonly { readonly from: number; readonly to: number }[];
  readonly restarted: boolean;
  readonly followedAsTask: boolean;
  /** The last refusal of a resume, other than a 409 that passed. */
  readonly refusal: Exchange | undefined;
  /** How long the server held on to a stream whose page was gone (409). */
  readonly heldMs: number;
  readonly heldBy: Exchange | undefined;
  /** A resumed stream fell silent, and only another request brought the rest. */
  readonly stalled: boolean;
  readonly repeats: Repeats;
  /** What came on other streams, and can't be credited to any call. */
  readonly strays: readonly object[];
  readonly posted: Exchange | undefined;
  /** The last resume that was let in. */
  readonly resumed: Exchange | undefined;
}

/** Events that came more than once, by whose fault. */
export interface Repeats {
  /** On the same stream, although the page had named them or later ones. */
  readonly again: number;
  /** On another stream than their own. */
  readonly elsewhere: number;
  /** A resume that did one or the other. */
  readonly exchange: Exchange | undefined;
}

export interface Return {
  readonly leftAt: number;
  readonly loadedAt: number;
  readonly connectedAt: number | undefined;
}

/** One 409 is a server that is about to notice; more are one that does not. */
const HELD_TRIES = 3;

export function observe(entries: readonly Entry[], call: Call): Observed {
  const own = entries.filter(({ callId }) => callId === call.id);
  const firstLoad = own[0]?.load ?? 1;
  const began = own[0]?.seq ?? 0;
  const later = entries.filter(({ load }) => load > firstLoad);
  const https = own.filter(({ kind }) => kind === 'http');
  const gets = https.filter(({ method }) => method === 'GET');
  const refusals = gets.filter(({ status = 0 }) => status >= 400 && status !== 409);
  const held = later.filter(
    ({ kind, method, status }) => kind === 'http' && method === 'GET' && status === 409,
  );
  const returns = returnsIn(entries, firstLoad);
  const positions = own.filter(({ eventId, stream }) => eventId !== undefined && stream === call.id);
  return {
    call,
    messages: own.filter(isMessage).map((entry) => ({
      at: entry.at,
      load: entry.load,
      stream: entry.stream ?? '',
      replayed: entry.replayed === true,
      eventId: entry.eventId,
      message: entry.message ?? {},
    })),
    duplicatesAt: own.filter(({ kind }) => kind === 'duplicate').map(({ at }) => at),
    givesEventIds: positions.length > 0,
    blindWindowMs: positions[0] && Math.max(0, positions[0].at - call.startedAt),
    eventIds: new Set(entries.flatMap(({ eventId }) => eventId ?? [])),
    lastEventId: positions.findLast(({ load }) => load === firstLoad)?.eventId,
    returns,
    breaks: breaksIn(own),
    restarted: entries.some(
      ({ seq, state }) => seq > began && state?.name === 'connected' && state.how === 'restarted',
    ),
    followedAsTask: later.some(({ kind, message }) => kind === 'sent' && isTaskRequest(message)),
    refusal: exchangeOf(refusals.at(-1)),
    heldMs: heldFor(held, returns),
    heldBy: exchangeOf(held.at(-1)),
    stalled: hasStalled(own),
    repeats: repeatsIn(entries, call.id),
    strays: entries
      .filter((entry) => entry.seq > began && entry.callId === undefined && isMessage(entry))
      .map(({ message }) => message ?? {}),
    posted: exchangeOf(https.find(({ method }) => method === 'POST')),
    resumed: exchangeOf(gets.findLast(({ status }) => status === 200)),
  };
}

/** Reads duplicates by the order of the log: each against the position that its own stream had named last. */
function repeatsIn(entries: readonly Entry[], callId: string): Repeats {
  const places = new Map<string, { readonly stream: string; readonly seq: number }>();
  const resumes = new Map<string, Entry>();
  const found = { again: 0, elsewhere: 0 };
  let proof: Entry | undefined;
  for (const entry of entries) {
    const { kind, stream = '', eventId, seq } = entry;
    if (kind === 'http' && entry.method === 'GET' && entry.status === 200) resumes.set(stream, entry);
    if (eventId === undefined) continue;
    const first = places.get(eventId);
    if (!first) places.set(eventId, { stream, seq });
    if (!first || kind !== 'duplicate' || (entry.callId ?? stream) !== callId) continue;
    const resume = resumes.get(stream);
    const named = places.get(resume?.requestHeaders?.['last-event-id'] ?? '');
    if (first.stream !== stream) found.elsewhere += 1;
    else if (named && first.seq <= named.seq) found.again += 1;
    else continue;
    // Where two streams bring the same, the first of them was the wrong one, or both are.
    proof ??= first.stream === stream ? resume : (resumes.get(first.stream) ?? resume);
  }
  return { ...found, exchange: exchangeOf(proof) };
}

/** The page had the result before it went: nothing was interrupted. */
export function endedBeforeReturn({ call, returns }: Observed): boolean {
  const first = returns[0];
  return first !== undefined && call.name === 'settled' && (call.settledAt ?? Infinity) <= first.leftAt;
}

function isMessage(entry: Entry): boolean {
  return entry.kind === 'received' && entry.message !== undefined;
}

function returnsIn(entries: readonly Entry[], firstLoad: number): readonly Return[] {
  return entries
    .filter(({ kind, load }) => kind === 'load' && load > firstLoad)
    .map(({ at, seq, load }) => ({
      leftAt: entries.findLast((entry) => entry.seq < seq)?.at ?? at,
      loadedAt: at,
      connectedAt: entries.find(
        (entry) => entry.seq > seq && entry.load === load && entry.state?.name === 'connected',
      )?.at,
    }));
}

function breaksIn(own: readonly Entry[]): Observed['breaks'] {
  return own
    .filter(({ kind, how }) => kind === 'stream-end' && how === 'broken')
    .flatMap((end) => {
      const next = own.find((entry) => entry.seq > end.seq && entry.kind === 'http' && entry.status === 200);
      return next?.load === end.load ? [{ from: end.at, to: next.at }] : [];
    });
}

/** The longest time after the page was back at which the server still said 409, again and again. */
function heldFor(held: readonly Entry[], returns: readonly Return[]): number {
  if (held.length < HELD_TRIES) return 0;
  const times = held.map(
    ({ at }) => at - (returns.findLast(({ loadedAt }) => loadedAt <= at)?.loadedAt ?? at),
  );
  return Math.max(0, ...times);
}

/** So soon after the head of a response, an event was waiting for it. */
const AT_ONCE_MS = 500;

/** The page let a resumed stream go because it was silent, and asked again; what came then had been there all the time. */
function hasStalled(own: readonly Entry[]): boolean {
  const isResume = ({ kind, method, status }: Entry): boolean =>
    kind === 'http' && method === 'GET' && status === 200;
  const resumed = own.find(isResume);
  const silence = own.find(
    ({ kind, how, seq }) =>
      kind === 'stream-end' && how === 'released' && resumed !== undefined && seq > resumed.seq,
  );
  if (!silence) return false;
  const asked = own.find((entry) => entry.seq > silence.seq && isResume(entry)) ?? silence;
  return own.some((entry) => entry.seq > asked.seq && isMessage(entry) && entry.at - asked.at <= AT_ONCE_MS);
}

/**
 * A stream that stays open while its page is away, with nothing on it, although the next one has the end of the call in
 * its replay: it has stalled, too.
 */
export function stalledAway(observed: Observed): Observed {
  return { ...observed, stalled: observed.stalled || observed.messages.at(-1)?.replayed === true };
}

function isTaskRequest(message: object | undefined): boolean {
  const method = message && 'method' in message ? message.method : undefined;
  return method === 'tasks/get' || method === 'tasks/result';
}

export function exchangeOf(entry: Entry | undefined): Exchange | undefined {
  if (entry?.status === undefined) return undefined;
  return {
    method: entry.method ?? '',
    url: entry.url ?? '',
    requestHeaders: entry.requestHeaders ?? {},
    status: entry.status,
    responseHeaders: entry.responseHeaders ?? {},
  };
}
