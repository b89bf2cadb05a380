/** Asking the client of a session: a request of the server's own, answered by a POST. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Answer, Capability, InputRequest } from './toolContext.ts';

export type ToolExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** People answer slowly, and a page may be reloaded before they do. */
const ANSWER_TIMEOUT_MS = 10 * 60 * 1000;

const ANSWERS = {
  'elicitation/create': ElicitResultSchema,
  'sampling/createMessage': CreateMessageResultSchema,
  'roots/list': ListRootsResultSchema,
};

type Send = (
  request: ServerRequest,
  schema: (typeof ANSWERS)[keyof typeof ANSWERS],
  options: { timeout: number },
) => Promise<Answer>;

/** One after the other: not every client can show two questions. */
export async function askClient(
  requests: Readonly<Record<string, InputRequest>>,
  send: Send,
  timeout = ANSWER_TIMEOUT_MS,
): Promise<Readonly<Record<string, Answer>>> {
  const answers: Record<string, Answer> = {};
  for (const [key, request] of Object.entries(requests)) {
    answers[key] = await send(request as ServerRequest, ANSWERS[request.method], { timeout });
  }
  return answers;
}

export const clientCan = (mcp: McpServer) => (capability: Capability) =>
  mcp.server.getClientCapabilities()?.[capability] !== undefined;
