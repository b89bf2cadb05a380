/** Whether a server speaks another way of the protocol than before. Pure. */
import type { EraChange } from '../../log/state/connectionState.ts';
import type { EraVerdict } from '../../log/protocol/era.ts';

/** @returns nothing where nothing has changed */
export function eraChange(
  before: EraVerdict | undefined,
  after: EraVerdict | undefined,
): EraChange | undefined {
  if (!before || !after || (before.era === after.era && before.transport === after.transport))
    return undefined;
  const { era, protocolVersion: version } = after;
  return {
    era,
    version,
    oldVersion: before.protocolVersion,
    ...(after.transport ? { sse: 'now' } : before.transport && { sse: 'before' }),
  };
}
