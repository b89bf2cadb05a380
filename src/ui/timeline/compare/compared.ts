/** What is compared with what. */
import type { Entry } from '../../../log/entry/entry.ts';
import type { Exchanges } from '../../../timeline/exchanges.ts';
import type { CallSpan } from '../../../timeline/span.ts';
import { controlOf } from '../../../timeline/compare.ts';

export type Compared =
  | { readonly what: 'entries'; readonly title: string; readonly left: number; readonly right: number }
  | { readonly what: 'calls'; readonly title: string; readonly left: CallSpan; readonly right: CallSpan };

/** Entries of two calls can be compared as such, the calls as a whole, and each with one that no reload disturbed. */
export function comparisonsOf(left: Entry, right: Entry, exchanges: Exchanges): readonly Compared[] {
  const [a, b] = [callOf(left, exchanges), callOf(right, exchanges)];
  const control = b && controlOf(b, exchanges);
  return [
    ...(left === right
      ? []
      : [{ what: 'entries', title: 'Two entries', left: left.seq, right: right.seq } as const]),
    ...(a && b && a !== b ? [{ what: 'calls', title: 'Two calls', left: a, right: b } as const] : []),
    ...(control && control !== a
      ? [{ what: 'calls', title: 'Control call and this call', left: control, right: b } as const]
      : []),
  ];
}

export function wordsOf(compared: Compared, side: 'left' | 'right'): string {
  if (compared.what === 'entries') return `Entry ${compared[side]}`;
  const { tool, callId } = compared[side];
  return `${tool} ·${callId.slice(-4)}`;
}

function callOf(entry: Entry, exchanges: Exchanges): CallSpan | undefined {
  return exchanges.callOf('callId' in entry ? entry.callId : undefined);
}
