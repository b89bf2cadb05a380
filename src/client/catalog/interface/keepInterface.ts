/** Adds what a server offers now to the stored history of its interface, if that is new. */
import type { Session } from '../../link/session.ts';
import type { Catalog } from '../catalog.ts';
import { parseHistory, remember } from './history.ts';
import { offeredBy } from './offeredBy.ts';

interface InterfaceStore {
  readonly loadInterfaces: () => Promise<unknown>;
  readonly saveInterfaces: (history: readonly object[]) => Promise<void>;
}

export type KeepInterface = typeof keepInterface;

export async function keepInterface(
  store: InterfaceStore,
  lists: Catalog,
  session: Session,
  now: number,
): Promise<void> {
  const before = parseHistory(await store.loadInterfaces());
  const after = remember(before, offeredBy(lists, session), now);
  if (after !== before) await store.saveInterfaces(after);
}
