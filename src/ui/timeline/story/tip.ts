/** What is under the pointer. */
import type { ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import type { TimeRange } from '../../../timeline/timeScale.ts';

export interface Tip {
  readonly x: number;
  readonly y: number;
  readonly time: number;
  readonly fold: TimeRange | undefined;
  readonly row: ExchangeRow | undefined;
  readonly seq: number | undefined;
}
