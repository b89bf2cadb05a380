/** What a server offers, as it was read last. Pure. */
import type { Session } from '../../link/session.ts';
import type { Catalog } from '../catalog.ts';
import { takeSnapshot, type InterfaceSnapshot } from './snapshot.ts';

export function offeredBy(lists: Catalog, { handshake, protocolVersion }: Session): InterfaceSnapshot {
  const { serverInfo, capabilities, instructions } = handshake;
  return takeSnapshot({ lists, server: serverInfo, protocolVersion, capabilities, instructions });
}
