/**
 * Its standalone stream, also when it is resumed, sends its head and nothing else for a while; then everything that was
 * due. Firefox gives a page the response only with the first byte of the body, so a page waits that long for it.
 */
import type { TargetOptions } from '../core/options.ts';
import { STANDALONE_STREAM_ID } from '../core/messages.ts';
import { isEventStream } from '../core/sse.ts';
import type { Profile } from './profile.ts';

const HEAD_ONLY_MS = 20_000;

/** The same response, its body from `ms` on. */
function holdBody(response: Response, ms: number): Response {
  const reader = response.body?.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await isOver;
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => {
      clearTimeout(timer);
      return reader?.cancel(reason);
    },
  });
  return new Response(body, response);
}

/** For tests that cannot wait as long as the profile does. */
export const holdStandalone =
  (ms: number): NonNullable<TargetOptions['around']> =>
  async (request, next, sessions) => {
    const lastEventId = request.headers.get('last-event-id');
    const streamId = lastEventId && (await sessions.find(request)?.ledger?.streamOf(lastEventId));
    const response = await next(request);
    const isStandalone = request.method === 'GET' && (!lastEventId || streamId === STANDALONE_STREAM_ID);
    return isStandalone && isEventStream(response) ? holdBody(response, ms) : response;
  };

export const lateHead: Profile = {
  name: 'late-head',
  summary: `the standalone stream sends its head, and no events for ${HEAD_ONLY_MS / 1000} s`,
  options: () => ({ around: holdStandalone(HEAD_ONLY_MS) }),
};
