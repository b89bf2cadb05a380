/** What a row of the list says: the state of an exchange, its arguments in short, how long it took. */
import { isObject, objectField, stringField } from '../../../base/json.ts';
import { plural, duration, formatNumber } from '../../../base/format.ts';
import { isOpen, type Call } from '../../../log/state/call.ts';
import type { Entry } from '../../../log/entry/entry.ts';
import { messageOf } from '../../../log/log.ts';
import { outcomeOf, stateWords } from '../../call/callWords.ts';
import { endedAt, spansOf, type EarlierRow, type ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import { isBad } from '../../../timeline/story/shownRows.ts';

export type RowSign =
  | 'running'
  | 'asked'
  | 'done'
  | 'failed'
  | 'unknown'
  | 'cancelled'
  | 'no'
  | 'folded'
  | 'unfolded';

interface RowWords {
  readonly sign: RowSign;
  /** For screen readers: the state in words. */
  readonly state: string;
  /** What stands in the column. */
  readonly status: string;
}

export function describeRow(row: ExchangeRow, call: Call | undefined, now: number): RowWords {
  if (row.kind === 'earlier') return describeEarlier(row);
  const took = duration(Math.max(0, (endedAt(row) ?? now) - row.from));
  if (row.kind === 'call' && call) return describeCall(call, took);
  const ends = spansOf(row).map(({ end }) => end);
  if (ends.includes('open')) return words(row.kind === 'question' ? 'asked' : 'running', 'running', took);
  if (ends.includes('failed')) return words('failed', 'error', `error ${took}`);
  if (ends.some((end) => end === 'lost' || end === 'unknown' || end === 'expired'))
    return words('unknown', 'unknown', row.kind === 'question' ? 'expired' : 'unknown');
  if (ends.includes('cancelled')) return words('cancelled', 'cancelled', 'cancelled');
  return ends.includes('no') ? words('no', 'not supported', 'no') : words('done', 'done', took);
}

function describeEarlier({ rows, isFolded }: EarlierRow): RowWords {
  const bad = rows.filter(isBad).length;
  const status = bad > 0 ? plural(bad, 'error') : '';
  return isFolded ? words('folded', 'hidden', status) : words('unfolded', 'shown', status);
}

function describeCall(call: Call, took: string): RowWords {
  const state = stateWords(call);
  if (call.name === 'needs-input') return words('asked', 'needs input', 'needs input');
  if (isOpen(call)) {
    const { progress } = call;
    if (progress?.total === undefined) return words('running', state, took);
    return words('running', state, `${formatNumber(progress.progress)}/${formatNumber(progress.total)}`);
  }
  switch (outcomeOf(call).name) {
    case 'running':
    case 'done':
      return words('done', state, took);
    case 'tool-error':
    case 'protocol-error':
      return words('failed', state, `error ${took}`);
    case 'without-result':
      if (call.name === 'cancelled') return words('cancelled', state, state);
      return call.name === 'settled' ? words('done', state, took) : words('unknown', state, shortState(call));
  }
}

const shortState = ({ name }: Call): string => (name === 'unknown' ? 'unknown' : name);

function words(sign: RowSign, state: string, status: string): RowWords {
  return { sign, state, status };
}

const MOST_CHARS = 120;

/** `{ticks: 20, intervalMs: 400}`, or what a request is about. */
export function argumentsOf(row: ExchangeRow, sent: Entry | undefined): string {
  if (row.kind === 'earlier') return '';
  if (row.kind === 'call') return compact(row.span.args);
  if (row.kind === 'lists') return row.spans.map(({ label }) => label.replace(/\/list$/, '')).join(', ');
  const params = sent && objectField(messageOf(sent), 'params');
  if (!isObject(params)) return '';
  const about = stringField(params, 'uri') ?? stringField(params, 'name') ?? stringField(params, 'message');
  return about ?? compact(JSON.stringify(params));
}

function compact(json: string): string {
  const short = json.slice(0, 4 * MOST_CHARS).replace(/"([A-Za-z_$][\w$]*)":/g, '$1: ');
  return short.replace(/,(?=[A-Za-z_$][\w$]*: )/g, ', ').slice(0, MOST_CHARS);
}

export function nameOf(row: ExchangeRow): string {
  if (row.kind === 'earlier') return `${formatNumber(row.rows.length)} earlier`;
  if (row.kind !== 'lists') return row.name;
  return row.spans.length === 1 ? row.name : `${row.spans.length} lists`;
}
