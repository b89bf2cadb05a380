/** Do these events bring a message? A priming event has none. */
import type { EventBytes } from '../../wire/heldBytes.ts';

/** A priming event and its ID are a line or two. */
const LONGEST_PRIMING_BYTES = 1000;

export function bringsMessage(events: EventBytes): boolean {
  const isLong = !(events instanceof Uint8Array) || events.length > LONGEST_PRIMING_BYTES;
  return isLong || /^data: ?\S/m.test(new TextDecoder().decode(events));
}
