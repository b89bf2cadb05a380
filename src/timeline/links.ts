/** What an entry hangs together with: the same call, the same stream, the question and its answer, the try before. */
import { STANDALONE, type Entry } from '../log/entry/entry.ts';
import { messageOf } from '../log/log.ts';
import type { Exchanges } from './exchanges.ts';
import type { CallSpan, StreamConnectionSpan } from './span.ts';

export interface Link {
  readonly seq: number;
  /** What the other entry is to this one. */
  readonly role: string;
}

export interface Links {
  readonly links: readonly Link[];
  /** Entries of this call or stream are shown as belonging together. */
  readonly callId: string | undefined;
  readonly stream: string | undefined;
}

export function linksOf(entry: Entry, exchanges: Exchanges): Links {
  const call = exchanges.callOf(callIdOf(entry, exchanges));
  const stream = 'stream' in entry ? entry.stream : undefined;
  const found = [
    ...(call ? ofCall(call, exchanges) : stream === undefined ? [] : ofStream(stream, exchanges)),
    ...ofQuestion(entry, exchanges),
  ];
  const seen = new Set([entry.seq]);
  const links = found.filter(({ seq }) => !seen.has(seq) && seen.add(seq)).sort((a, b) => a.seq - b.seq);
  return { links, callId: call?.callId, stream: call ? undefined : stream };
}

/** The HTTP exchange that an entry went through, and what was sent with it, by their numbers. */
export function carrierOf(
  entry: Entry,
  exchanges: Exchanges,
): {
  readonly http: number | undefined;
  readonly sent: number | undefined;
  readonly carriage: StreamConnectionSpan | undefined;
} {
  const stream = 'stream' in entry ? entry.stream : callIdOf(entry, exchanges);
  const call = exchanges.callOf(stream);
  const request = stream === undefined ? undefined : exchanges.requests.get(stream);
  const carriages = exchanges.carriages.filter((one) => one.stream === stream);
  const carriage = carriages.findLast(({ first }) => first <= entry.seq) ?? carriages[0];
  return {
    http: entry.kind === 'http' ? entry.seq : (carriage?.first ?? request?.http),
    sent: call?.sent ?? request?.first,
    carriage,
  };
}

function callIdOf(entry: Entry, exchanges: Exchanges): string | undefined {
  if ('callId' in entry && entry.callId !== undefined) return entry.callId;
  return entry.kind === 'question' ? exchanges.questionOf(entry.requestId, entry.seq)?.callId : undefined;
}

function ofCall(call: CallSpan, exchanges: Exchanges): readonly Link[] {
  const { carriages, questions } = exchanges;
  return [
    ...link(call.first, 'call created'),
    ...link(call.sent, 'request'),
    ...carriages
      .filter(({ stream }) => stream === call.callId)
      .flatMap((one) => [
        ...link(one.first, roleOf(one)),
        ...(one.last === one.first ? [] : link(one.last, 'stream closed')),
      ]),
    ...questions
      .filter(({ callId }) => callId === call.callId)
      .flatMap((one) => [...link(one.first, 'question'), ...link(one.last, 'answer')]),
    ...link(call.result, 'result'),
    ...(call.result === undefined ? link(call.last, `ended: ${call.end}`) : []),
    ...tries(call, exchanges),
  ];
}

function roleOf({ httpMethod, status, resumedFrom }: Exchanges['carriages'][number]): string {
  if (httpMethod !== 'GET') return `${httpMethod} ${status}`;
  return resumedFrom === undefined ? `GET ${status}` : `resume ${status} from event ${resumedFrom}`;
}

/** The same tool with the same arguments, where the one before did not come to an end. */
function tries(call: CallSpan, { calls }: Exchanges): readonly Link[] {
  const same = [...calls.values()].filter(({ tool, args }) => tool === call.tool && args === call.args);
  const i = same.indexOf(call);
  const before = same[i - 1];
  const after = same[i + 1];
  return [
    ...(before && gaveUp(before) ? link(before.first, 'previous attempt') : []),
    ...(after && gaveUp(call) ? link(after.first, 'next attempt') : []),
  ];
}

const gaveUp = ({ end }: CallSpan): boolean => ['lost', 'unknown', 'failed', 'cancelled'].includes(end);

function ofStream(stream: string, { requests, carriages }: Exchanges): readonly Link[] {
  const request = requests.get(stream);
  return [
    ...link(request?.first, 'request'),
    ...link(request?.last, 'response'),
    ...carriages
      .filter((one) => one.stream === stream)
      // A standalone stream is opened with every reload; the last few are of interest.
      .slice(stream === STANDALONE ? -4 : 0)
      .flatMap((one) => [...link(one.first, roleOf(one)), ...link(one.last, 'stream closed')]),
  ];
}

function ofQuestion(entry: Entry, exchanges: Exchanges): readonly Link[] {
  const id = entry.kind === 'question' ? entry.requestId : idOfAnswer(entry);
  const question = id === undefined ? undefined : exchanges.questionOf(id, entry.seq);
  return question ? [...link(question.first, 'question'), ...link(question.last, 'answer')] : [];
}

function idOfAnswer(entry: Entry): string | undefined {
  if (entry.kind !== 'sent' || entry.method !== undefined) return undefined;
  const id = messageOf(entry)?.['id'];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

const link = (seq: number | undefined, role: string): readonly Link[] =>
  seq === undefined ? [] : [{ seq, role }];
