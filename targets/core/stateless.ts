/** No sessions: a server and a transport for one POST, gone with its answer. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { rpcError } from './messages.ts';
import type { OpenBodies } from './openBodies.ts';
import type { TargetOptions } from './options.ts';
import { createServer } from './server.ts';
import { SessionTransport } from './sessionTransport.ts';
import { isEventStream } from './sse.ts';
import { Stats } from './stats.ts';

/** The key under which the counts of all requests are kept. */
const STATELESS = 'stateless';

export async function answerStateless(
  request: Request,
  options: TargetOptions,
  bodies: OpenBodies,
): Promise<Response> {
  if (request.method !== 'POST') return rpcError(405, -32000, 'Method not allowed', { allow: 'POST' });
  const stats = (options.stats ?? new Stats()).session(STATELESS);
  stats.posts += 1;
  const http = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: options.jsonResponses ?? false,
  });
  const server = createServer(options);
  await server.connect(
    new SessionTransport(http, {
      sessionId: undefined,
      stats,
      relate: options.relate,
      afterSend: () => undefined,
      onSettled: () => undefined,
      onNotification: () => undefined,
    }),
  );
  const response = await http.handleRequest(request);
  if (!isEventStream(response)) return response;
  stats.openStreams += 1;
  return bodies.track(response, () => {
    stats.openStreams -= 1;
    void server.close();
  });
}
