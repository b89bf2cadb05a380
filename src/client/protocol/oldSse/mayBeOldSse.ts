/**
 * MCP 2025-11-25, Streamable HTTP, "Backwards Compatibility": a server that answers the POST of the handshake with 400,
 * 404 or 405 may be one of 2024-11-05; then a GET tells.
 */
import type { RequestFailure } from '../../streams/linkEvent.ts';

const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405]);

export function mayBeOldSse(failure: Pick<RequestFailure, 'request' | 'outcome'> | undefined): boolean {
  if (failure?.request !== 'initialize' || failure.outcome.kind !== 'status') return false;
  return REFUSALS.has(failure.outcome.status);
}
