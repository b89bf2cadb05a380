/** What a server offers, as it was read last. Pure. */
import type { Session } from '../../link/connection.ts';
import type { Lists } from '../lists.ts';
import { takeSnapshot, type InterfaceSnapshot } from './snapshot.ts';

export function offeredBy(lists: Lists, { handshake, protocolVersion }: Session): InterfaceSnapshot {
  const { serverInfo, capabilities, instructions } = handshake;
  return takeSnapshot({ lists, server: serverInfo, protocolVersion, capabilities, instructions });
}
