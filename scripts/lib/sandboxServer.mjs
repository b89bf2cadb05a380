// Serves the sandbox of MCP Apps at origins of its own: a port for each server, so that the view of one server can't read
// what the view of another has stored. Host names of their own would be other sites, and browsers that block third-party
// cookies give another site no storage.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closeServer, listen } from './listen.mjs';
import { isOwnHost, SANDBOX, sandboxHeaders, withHostOrigins } from './siteHeaders.mjs';

/** Below the ports that systems give to clients. */
const FIRST_PORT = 10_000;
const PORTS = 20_000;
/** The name of a server, as the page makes it. */
const LABEL = /^app-[a-z0-9]{1,20}$/;
/** The one that wasn't asked for the longest is closed. */
const MOST_SANDBOXES = 100;
const MOST_TRIES = 20;

/** The same for the same page and server, so that views find their storage again. */
export function sandboxPort(/** @type {number} */ pagePort, /** @type {string} */ label) {
  const hash = createHash('sha256').update(`${pagePort} ${label}`).digest().readUInt32BE();
  return FIRST_PORT + (hash % PORTS);
}

/**
 * Of the same site as the page. A policy can't name an IPv6 address.
 *
 * @param {string} host the Host header of the page
 * @param {number | '*'} port of the sandbox
 */
export function appsOriginAt(host, port) {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name.startsWith('[') ? undefined : `http://${name}:${port}`;
}

export class Sandboxes {
  /** @type {Map<string, Promise<{ port: number, servers: import('node:http').Server[] } | undefined>>} */
  #open = new Map();
  #listener;
  #pagePort;
  #most;

  /**
   * @param {string} folder
   * @param {number} pagePort
   * @param {number} [most] open at a time
   */
  constructor(folder, pagePort, most = MOST_SANDBOXES) {
    this.#most = most;
    this.#listener = sandboxListener(folder, pagePort);
    this.#pagePort = pagePort;
  }

  /**
   * The port of a server's sandbox, opened when it's first asked for.
   *
   * @param {string} label
   * @param {ReadonlySet<number>} [taken] the ports that the page has given to other servers
   * @returns {Promise<number | undefined>}
   */
  async portOf(label, taken = new Set()) {
    if (!LABEL.test(label)) return undefined;
    const opened = this.#open.get(label) ?? this.#listen(sandboxPort(this.#pagePort, label), taken);
    // The one that was asked for last is the last of the map.
    this.#open.delete(label);
    this.#open.set(label, opened);
    const [oldest = label] = this.#open.keys();
    if (this.#open.size > this.#most) void this.#close(oldest);
    return (await opened)?.port;
  }

  /** Views that are shown don't need it any more. @param {string} label */
  async #close(label) {
    const opened = this.#open.get(label);
    this.#open.delete(label);
    await Promise.all(((await opened)?.servers ?? []).map(closeServer));
  }

  async close() {
    await Promise.all([...this.#open.keys()].map((label) => this.#close(label)));
  }

  /**
   * At the port, or at one of the next that is free.
   *
   * @param {number} first
   * @param {ReadonlySet<number>} taken
   */
  async #listen(first, taken) {
    let tries = 0;
    for (let port = first; tries < MOST_TRIES; port += 1) {
      if (taken.has(port)) continue;
      tries += 1;
      const v4 = await listen(this.#listener, port, '127.0.0.1').catch(() => undefined);
      if (!v4) continue;
      const v6 = await listen(this.#listener, port, '::1').catch(() => undefined);
      return { port, servers: v6 ? [v4, v6] : [v4] };
    }
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {number} pagePort
 * @returns {import('node:http').RequestListener}
 */
function sandboxListener(folder, pagePort) {
  const hosts = ['localhost', '127.0.0.1'].map((name) => `http://${name}:${pagePort}`);
  return (request, response) => {
    if (!isOwnHost(request.headers.host)) return void response.writeHead(403).end();
    if (request.method !== 'GET' || request.url?.replace(/[?#].*$/, '') !== `/${SANDBOX}`)
      return void response.writeHead(404, sandboxHeaders(["'none'"])).end();
    readFile(join(folder, SANDBOX), 'utf8').then(
      (html) => {
        response.writeHead(200, {
          ...sandboxHeaders(hosts),
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
        });
        response.end(withHostOrigins(html, hosts));
      },
      () => response.writeHead(404).end(),
    );
    return undefined;
  };
}
