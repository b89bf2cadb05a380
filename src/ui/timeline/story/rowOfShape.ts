/** Which row an entry belongs to, by its shape: looked up once for each shape. */
import { callRowId, streamsOf, type ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import type { Exchanges } from '../../../timeline/exchanges.ts';
import type { Shape } from '../../../timeline/shape.ts';
import type { QuestionSpan } from '../../../timeline/span.ts';

interface RowLookup {
  readonly rowOf: (shape: Shape) => readonly number[];
  readonly questionsOf: (row: ExchangeRow) => readonly QuestionSpan[];
}

const NONE: readonly number[] = [];

export function lookUpRows(rows: readonly ExchangeRow[], { questions }: Exchanges): RowLookup {
  const numbers = new Map<string, number>();
  for (const [i, row] of rows.entries()) {
    numbers.set(row.id, i);
    if (row.kind !== 'call') for (const stream of streamsOf(row)) numbers.set(`request/${stream}`, i);
  }
  const known = new Map<Shape, readonly number[]>();
  const ofCall = new Map<string, QuestionSpan[]>();
  for (const question of questions) {
    const { callId = '' } = question;
    ofCall.set(callId, [...(ofCall.get(callId) ?? []), question]);
  }
  return {
    rowOf(shape) {
      const before = known.get(shape);
      if (before) return before;
      const row =
        (shape.callId === '' ? undefined : numbers.get(callRowId(shape.callId))) ??
        (shape.stream === '' ? undefined : numbers.get(`request/${shape.stream}`));
      const found = row === undefined ? NONE : [row];
      known.set(shape, found);
      return found;
    },
    questionsOf: (row) =>
      row.kind === 'question' ? [row.span] : row.kind === 'call' ? (ofCall.get(row.span.callId) ?? []) : [],
  };
}
