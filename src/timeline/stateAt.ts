/** What the app knew at a moment: the connection, the page, what was running and what was asked. */
import type { Exchanges } from './exchanges.ts';
import type { LogIndex } from './logIndex.ts';
import type { CallSpan, QuestionSpan, SpanEnd } from './span.ts';

export interface CallAt {
  readonly call: CallSpan;
  readonly name: SpanEnd;
  /** Messages of this call up to then, and how many of them a replay delivered. */
  readonly received: number;
  readonly replayed: number;
}

export interface Moment {
  readonly at: number;
  readonly load: number;
  /** Was a page there? */
  readonly isPageThere: boolean;
  readonly connection: string;
  readonly calls: readonly CallAt[];
  readonly questions: readonly QuestionSpan[];
  readonly entries: number;
}

/** Older calls that were over by then are of no interest. */
const SHOWN_CALLS = 6;

export function stateAt(index: LogIndex, at: number): Moment {
  const { exchanges } = index;
  const load = exchanges.loads.findLast(({ from }) => from <= at);
  const isLast = load === exchanges.loads.at(-1);
  return {
    at,
    load: load?.load ?? 0,
    isPageThere: load !== undefined && (isLast || at <= load.to),
    connection: exchanges.states.findLast(({ from }) => from <= at)?.label ?? 'idle',
    calls: callsAt(index, exchanges, at),
    questions: exchanges.questions.filter((one) => isOpenAt(one, at)),
    entries: index.positionAt(at + 1),
  };
}

const isOpenAt = ({ from, to = Infinity }: { from: number; to: number | undefined }, at: number): boolean =>
  from <= at && at < to;

function callsAt(index: LogIndex, exchanges: Exchanges, at: number): readonly CallAt[] {
  return [...exchanges.calls.values()]
    .filter(({ from }) => from <= at)
    .slice(-SHOWN_CALLS)
    .reverse()
    .map((call) => ({
      call,
      name: isOpenAt(call, at) ? 'open' : call.end,
      ...countMessages(index, call, at),
    }));
}

function countMessages(index: LogIndex, call: CallSpan, at: number): Pick<CallAt, 'received' | 'replayed'> {
  const end = Math.min(index.positionAt(at + 1), index.positionOf((call.last ?? Infinity) + 1));
  let received = 0;
  let replayed = 0;
  for (let i = index.positionOf(call.first); i < end;) {
    const shape = index.shapeAt(i);
    const next = Math.min(end, index.alikeUntil(i));
    if (shape.kind === 'received' && shape.callId === call.callId) {
      received += next - i;
      if (shape.replayed) replayed += next - i;
    }
    i = next;
  }
  return { received, replayed };
}
