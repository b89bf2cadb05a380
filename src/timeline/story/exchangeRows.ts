/** One row for each exchange of a log: calls, reads, prompts, input requests, and the lists that were read together. */
import type { Exchanges } from '../exchanges.ts';
import type { CallSpan, QuestionSpan, RequestSpan, Span } from '../span.ts';

interface Common {
  /** The same for the same exchange, also after a reload. */
  readonly id: string;
  readonly name: string;
  /** The number of its first entry. */
  readonly first: number;
  readonly from: number;
}

export type ExchangeRow =
  | (Common & { readonly kind: 'call'; readonly span: CallSpan })
  | (Common & { readonly kind: 'request'; readonly span: RequestSpan })
  | (Common & { readonly kind: 'lists'; readonly spans: readonly RequestSpan[] })
  /** Part of the connection, hidden until it is asked for. */
  | (Common & { readonly kind: 'plumbing'; readonly span: RequestSpan })
  /** An input request that belongs to no call. */
  | (Common & { readonly kind: 'question'; readonly span: QuestionSpan })
  | EarlierRow;

/** What ended before the newest rows, as one row. */
export type EarlierRow = Common & {
  readonly kind: 'earlier';
  readonly isFolded: boolean;
  /** Newest first. */
  readonly rows: readonly ExchangeRow[];
  /** What is drawn of them while they are folded. */
  readonly spans: readonly Span[];
};

const PLUMBING: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'logging/setLevel',
  'completion/complete',
  'subscriptions/listen',
  'tasks/get',
]);

/** Lists that were asked for within this time of each other are one row. */
const TOGETHER_MS = 2000;

export const callRowId = (callId: string): string => `call/${callId}`;
const requestRowId = (stream: string): string => `request/${stream}`;

/** Oldest first. */
export function exchangeRows(exchanges: Exchanges): readonly ExchangeRow[] {
  const rows: ExchangeRow[] = [
    ...[...exchanges.calls.values()].map((span): ExchangeRow => ({
      ...common(callRowId(span.callId), span.tool, span),
      kind: 'call',
      span,
    })),
    ...[...exchanges.requests.values()].map(requestRow),
    ...exchanges.questions
      .filter(({ callId }) => callId === undefined)
      .map((span): ExchangeRow => ({
        ...common(`question/${span.requestId}/${span.first}`, span.label, span),
        kind: 'question',
        span,
      })),
  ];
  return rows.sort((a, b) => a.first - b.first).reduce(withListsTogether, []);
}

function common(id: string, name: string, { first, from }: Span): Common {
  return { id, name, first, from };
}

function requestRow(span: RequestSpan): ExchangeRow {
  const about = common(requestRowId(span.stream), span.label, span);
  if (PLUMBING.has(span.label)) return { ...about, kind: 'plumbing', span };
  if (span.label.endsWith('/list')) return { ...about, kind: 'lists', spans: [span] };
  return { ...about, kind: 'request', span };
}

function withListsTogether(rows: ExchangeRow[], row: ExchangeRow): ExchangeRow[] {
  const i = rows.findLastIndex(({ kind }) => kind !== 'plumbing');
  const before = rows[i];
  const isTogether =
    before?.kind === 'lists' &&
    row.kind === 'lists' &&
    row.from - (before.spans.at(-1)?.from ?? 0) < TOGETHER_MS;
  if (!isTogether) rows.push(row);
  else rows[i] = { ...before, spans: [...before.spans, ...row.spans] };
  return rows;
}

/** What took time in a row. A span that ends is changed in place, so this is read when it is drawn. */
export function spansOf(row: ExchangeRow): readonly Span[] {
  return row.kind === 'lists' || row.kind === 'earlier' ? row.spans : [row.span];
}

/** The streams that carry it, by which its entries are known; that of a call has the call's ID. */
export function streamsOf(row: ExchangeRow): readonly string[] {
  switch (row.kind) {
    case 'call':
      return [row.span.callId];
    case 'question':
    case 'earlier':
      return [];
    case 'lists':
      return row.spans.map(({ stream }) => stream);
    case 'request':
    case 'plumbing':
      return [row.span.stream];
  }
}

export function isRunning(row: ExchangeRow): boolean {
  return spansOf(row).some(({ end }) => end === 'open');
}

/** When it ended; nothing while a part of it is open. */
export function endedAt(row: ExchangeRow): number | undefined {
  let last = 0;
  for (const { to } of spansOf(row)) {
    if (to === undefined) return undefined;
    last = Math.max(last, to);
  }
  return last;
}

/** The rows again only when there is another span: those that end are changed in place. */
export function rememberRows(): (exchanges: Exchanges) => readonly ExchangeRow[] {
  let known: { exchanges: Exchanges; revision: number; rows: readonly ExchangeRow[] } | undefined;
  return (exchanges) => {
    if (known?.exchanges !== exchanges || known.revision !== exchanges.revision) {
      known = { exchanges, revision: exchanges.revision, rows: exchangeRows(exchanges) };
    }
    return known.rows;
  };
}
