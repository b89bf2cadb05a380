/** Where the views of a server are shown: at its own name or port, or in an opaque frame. */
import { labelOf, opaquePlace, ownPlace, type SandboxPlace } from '../../apps/sandboxPlace.ts';
import { stringField } from '../../base/json.ts';

/** @param pattern an origin; `*` is a name for each server, or a port that the host of the page opens for it */
export async function findPlace(
  pattern: string | undefined,
  server: string,
  page: string,
): Promise<SandboxPlace> {
  if (pattern === undefined) return opaquePlace(page);
  if (!pattern.endsWith(':*')) return ownPlace(pattern, server);
  const origin = await originAt(new URL(`sandbox-origin?server=${labelOf(server)}`, page));
  return origin === undefined ? opaquePlace(page) : ownPlace(origin, server);
}

async function originAt(url: URL): Promise<string | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? stringField(await response.json(), 'origin') : undefined;
  } catch {
    return undefined;
  }
}
