/** Where the time of an HTTP exchange went, as far as the log can tell. */
import type { Entry } from '../log/entry/entry.ts';
import type { StreamConnectionSpan } from './span.ts';

export interface Phase {
  readonly name: string;
  readonly ms: number;
}

export function phasesOf(
  http: Extract<Entry, { kind: 'http' }>,
  carriage: StreamConnectionSpan | undefined,
): readonly Phase[] {
  const waited = { name: 'waiting for response', ms: http.durationMs };
  if (!carriage || carriage.first === carriage.last) return [waited];
  const { firstMessageAt, to } = carriage;
  const silent =
    firstMessageAt === undefined ? [] : [{ name: 'time to first message', ms: firstMessageAt - http.at }];
  const since = firstMessageAt ?? http.at;
  return [
    waited,
    ...silent,
    ...(to === undefined ? [] : [{ name: 'reading stream', ms: Math.max(0, to - since) }]),
  ];
}
