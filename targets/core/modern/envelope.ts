/** What a request of 2026-07-28 says about itself, in its `_meta`. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { isRecord } from '../messages.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The client's capabilities: of this request, whatever any request before it said. */
export function capabilitiesIn(meta: unknown): Readonly<Record<string, unknown>> {
  const declared = isRecord(meta) ? meta[CLIENT_CAPABILITIES_META_KEY] : undefined;
  return isRecord(declared) ? declared : {};
}

export const capabilitiesOf = ({ mcpReq }: ServerContext) => capabilitiesIn(mcpReq.envelope);

export function logLevelOf({ mcpReq }: ServerContext): unknown {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope;
  // oxlint-disable-next-line typescript/no-deprecated -- the log level of clients that still ask for logging
  return envelope?.[LOG_LEVEL_META_KEY];
}

export function hasTasks({ extensions }: Readonly<Record<string, unknown>>): boolean {
  return isRecord(extensions) && TASKS_EXTENSION in extensions;
}
