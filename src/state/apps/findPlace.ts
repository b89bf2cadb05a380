/** Where the views of a server are shown: at its own name or port, or in an opaque frame. */
import { labelOf, opaquePlace, ownPlace, type SandboxPlace } from '../../apps/sandboxPlace.ts';
import { stringField } from '../../base/json.ts';
import type { SandboxPorts } from './sandboxPorts.ts';

export interface PlaceOptions {
  /** An origin; `*` is a name for each server, or a port that the host of the page opens for it. */
  readonly pattern: string | undefined;
  /** Its ID. */
  readonly server: string;
  readonly page: string;
  readonly ports: SandboxPorts;
}

export async function findPlace({ pattern, server, page, ports }: PlaceOptions): Promise<SandboxPlace> {
  if (pattern === undefined) return opaquePlace(page);
  if (!pattern.endsWith(':*')) return ownPlace(pattern, server);
  const port = await ports.portFor(server, (taken) => askForPort(server, taken, page)).catch(() => undefined);
  return port === undefined ? opaquePlace(page) : ownPlace(pattern.replace('*', String(port)), server);
}

async function askForPort(
  server: string,
  taken: readonly number[],
  page: string,
): Promise<number | undefined> {
  const query = `server=${labelOf(server)}${taken.length > 0 ? `&taken=${taken.join()}` : ''}`;
  const response = await fetch(new URL(`sandbox-origin?${query}`, page));
  const origin = response.ok ? stringField(await response.json(), 'origin') : undefined;
  return origin === undefined ? undefined : Number(new URL(origin).port);
}
