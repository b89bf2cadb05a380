/** Records the head of an HTTP exchange: what was asked, what was answered, how long it took. */
import type { ResponseHead } from '../../wire/exchange.ts';
import { noteOfferedSession, offersSession } from './offeredSession.ts';
import type { Recording } from './streamExchange.ts';

export function recordResponse(
  { log, redactor }: Pick<Recording, 'log' | 'redactor'>,
  {
    stream,
    callId,
    responseTo,
  }: { stream: string; callId?: string | undefined; responseTo?: string | undefined },
  head: ResponseHead,
): void {
  redactor.protectSession(head.requestHeaders, head.responseHeaders);
  log.append({
    body: {
      kind: 'http',
      stream,
      ...(callId !== undefined && { callId }),
      ...(responseTo !== undefined && { responseTo }),
      method: head.method,
      url: redactor.url(head.url),
      status: head.status,
      durationMs: head.durationMs,
      requestHeaders: redactor.headers(head.requestHeaders),
      responseHeaders: redactor.headers(head.responseHeaders),
    },
  });
  if (offersSession(head)) void noteOfferedSession(log);
}
