/** The HTTP exchange that an entry went through, read from the log. */
import type { TimelineView } from '../../../state/timelineView.svelte.ts';
import type { Entry } from '../../../log/entry/entry.ts';
import type { Exchanges } from '../../../timeline/exchanges.ts';
import type { StreamConnectionSpan } from '../../../timeline/span.ts';
import { carrierOf } from '../../../timeline/links.ts';

export interface ReadExchange {
  readonly http: Extract<Entry, { kind: 'http' }> | undefined;
  readonly sent: Extract<Entry, { kind: 'sent' }> | undefined;
  readonly carriage: StreamConnectionSpan | undefined;
}

export async function readExchange(
  entry: Entry,
  exchanges: Exchanges,
  view: TimelineView,
): Promise<ReadExchange> {
  const { http: httpSeq, sent: sentSeq, carriage } = carrierOf(entry, exchanges);
  const [http, sent] = await Promise.all(
    [httpSeq, sentSeq].map((seq) => (seq === undefined ? Promise.resolve(undefined) : view.readEntry(seq))),
  );
  return {
    http: http?.kind === 'http' ? http : undefined,
    sent: sent?.kind === 'sent' ? sent : undefined,
    carriage,
  };
}
