/** Where the sandbox of a view is: at an origin of its own, where the host of the page has one, or in an opaque frame. */
export interface SandboxPlace {
  readonly origin: 'own' | 'opaque';
  readonly url: string;
  /** What messages of its frame have as their origin. */
  readonly messageOrigin: string;
  /** The sandbox attribute of both frames. */
  readonly attribute: string;
}

const FILE = 'sandbox.html';
/** No popups, no navigation of the top, no dialogs, no downloads. */
const FLAGS = 'allow-scripts allow-forms';

/** @param server its ID: each server has a name of its own where the origin has room for one */
export function ownPlace(pattern: string, server: string): SandboxPlace {
  const origin = pattern.replace('*', labelOf(server));
  const attribute = `${FLAGS} allow-same-origin`;
  return { origin: 'own', url: `${origin}/${FILE}`, messageOrigin: origin, attribute };
}

/** SEP-1865 wants another origin with `allow-same-origin`. A static host has none, and this is as safe. */
export function opaquePlace(page: string): SandboxPlace {
  return { origin: 'opaque', url: new URL(FILE, page).href, messageOrigin: 'null', attribute: FLAGS };
}

/** A label of a host name: an FNV-1a hash, so that any ID makes one. */
export function labelOf(server: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(server)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return `app-${hash.toString(36)}`;
}
