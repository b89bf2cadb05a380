/** The way of the protocol that a server speaks, in words. */
import type { EraVerdict } from '../../log/era.ts';

/** "The server speaks 2026-07-28 now, without sessions". Nothing where nothing has changed. */
export function describeEraChange(
  before: EraVerdict | undefined,
  after: EraVerdict | undefined,
): string | undefined {
  if (!before || !after || (before.era === after.era && before.transport === after.transport))
    return undefined;
  if (after.transport) return 'The server speaks the old HTTP+SSE transport now';
  const how = after.era === 'stateless' ? 'without sessions' : 'with sessions';
  if (before.transport)
    return `The server speaks ${after.protocolVersion} now, ${how} (it was the old HTTP+SSE transport)`;
  return `The server speaks ${after.protocolVersion} now, ${how} (it was ${before.protocolVersion})`;
}
