/**
 * All messages of a call come at its end, its first event ID too: something on the way gathers the response (a proxy
 * that buffers, a middleware that compresses). A tool that asks the user waits in vain, because its question is held.
 */
import type { Profile } from './profile.ts';

/** The same response, its body in one piece when that is complete. */
function atTheEnd(response: Response): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunks: Uint8Array[] = [];
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
        chunks.push(next.value);
      }
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(body, response);
}

export const buffers: Profile = {
  name: 'buffers',
  summary: 'buffers the stream of a call, so all messages arrive at its end',
  options: () => ({ shape: (response, kind) => (kind === 'post' ? atTheEnd(response) : response) }),
};
