/** What every request to a stateless server carries: who asks, in which revision, and what it can do. */
import type { ClientCapabilities, Implementation } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from './metaKeys.ts';

export interface EnvelopeFacts {
  readonly protocolVersion: string;
  readonly clientInfo: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Without one, a server of 2026-07-28 sends no log messages. */
  readonly logLevel?: string | undefined;
}

/** The `_meta` of a request. The transport takes the headers from it, so that the two never differ. */
export function envelope({ protocolVersion, clientInfo, capabilities, logLevel }: EnvelopeFacts): JsonObject {
  return {
    [PROTOCOL_VERSION_META_KEY]: protocolVersion,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
    ...(logLevel !== undefined && { [LOG_LEVEL_META_KEY]: logLevel }),
  };
}
