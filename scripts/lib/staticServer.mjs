import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { closeServer, listen, portOf } from './listen.mjs';
import { appsOriginAt, Sandboxes } from './sandboxServer.mjs';
import {
  headersIn,
  isOwnHost,
  SANDBOX,
  SANDBOX_ORIGIN,
  sandboxHeaders,
  withAppsOrigin,
} from './siteHeaders.mjs';

const TYPES = /** @type {Readonly<Record<string, string>>} */ ({
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
});

/**
 * @typedef {object} StaticServer
 * @property {string} url where the site is, with the port that was taken
 * @property {() => Promise<void>} close
 */

/**
 * Serves a folder as any static host would: files, `index.html` for a folder, nothing else.
 * Only this machine can reach it, under `localhost`, 127.0.0.1 and [::1].
 *
 * @param {object} options
 * @param {string} options.folder
 * @param {number} [options.port]
 * @param {string} [options.base] the path that the site is under
 * @param {boolean} [options.apps] also serves the sandbox of MCP Apps, at a port for each server; as any static host, if left out
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean} [options.handle]
 *   sees each request first; `true`: it responds itself
 * @returns {Promise<StaticServer>}
 */
export async function serveStatic({ folder, port = 0, base = '/', apps = false, handle }) {
  let url = '';
  /** @type {Sandboxes | undefined} */
  let sandboxes;
  /** @type {import('node:http').RequestListener} */
  const listener = (request, response) => {
    if (handle?.(request, response)) return;
    const { host = '' } = request.headers;
    const appsOrigin = sandboxes && appsOriginAt(host, '*');
    const site = { folder, base, url, appsOrigin, sandboxes };
    Promise.all([headersIn(folder, appsOrigin), answer(request, site)]).then(
      ([always, { status, isSandbox, headers, body }]) => {
        response.writeHead(status, { ...(isSandbox ? sandboxHeaders() : always), ...headers });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
      () => response.writeHead(500).end(),
    );
  };

  const v4 = await listen(listener, port, '127.0.0.1');
  const taken = portOf(v4);
  url = `http://localhost:${taken}${base}`;
  const servers = [v4];
  // Some browsers try [::1] first for `localhost`. A machine without IPv6 does without.
  try {
    servers.push(await listen(listener, taken, '::1'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      await closeServer(v4);
      throw error;
    }
  }
  if (apps) sandboxes = new Sandboxes(folder, taken);

  return {
    url,
    close: async () => {
      await Promise.all([...servers.map(closeServer), sandboxes?.close()]);
    },
  };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {{ folder: string, base: string, url: string, appsOrigin: string | undefined, sandboxes: Sandboxes | undefined }} site
 * @returns {Promise<{ status: number, isSandbox?: boolean, headers?: Record<string, string>, body?: string | Buffer }>}
 */
async function answer(request, { folder, base, url, appsOrigin, sandboxes }) {
  if (!isOwnHost(request.headers.host)) {
    return { status: 403, body: `Reprise isn't available at this host name. Open ${url}\n` };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { allow: 'GET, HEAD' }, body: 'Method not allowed.\n' };
  }
  const path = decodePath(request.url ?? '/');
  if (path === undefined) return { status: 400, body: 'Bad request.\n' };
  if (`${path}/` === base) return { status: 308, headers: { location: encodeURI(base) } };

  if (sandboxes && path === `${base}${SANDBOX_ORIGIN}`) return sandboxOrigin(request, sandboxes);

  const file = path.startsWith(base) ? await findFile(folder, path.slice(base.length)) : undefined;
  if (file === undefined) return { status: 404, body: 'Not found.\n' };
  const isPage = file === join(folder, 'index.html');
  return {
    status: 200,
    isSandbox: file === join(folder, SANDBOX),
    headers: {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      // Names in assets/ carry a hash of their content; everything else is asked for again.
      'cache-control': path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
    body: isPage ? withAppsOrigin(await readFile(file, 'utf8'), appsOrigin) : await readFile(file),
  };
}

/**
 * Where the views of a server are: `sandbox-origin?server=<name>&taken=<ports of other servers>`. Only the page is told, so
 * that no other page opens ports.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {Sandboxes} sandboxes
 */
async function sandboxOrigin({ url = '', headers }, sandboxes) {
  const query = new URL(url, 'http://localhost').searchParams;
  const taken = new Set((query.get('taken') ?? '').split(',').map(Number));
  const isOwn = headers['sec-fetch-site'] === 'same-origin';
  const port = isOwn ? await sandboxes.portOf(query.get('server') ?? '', taken) : undefined;
  const origin = port === undefined ? undefined : appsOriginAt(headers.host ?? '', port);
  if (origin === undefined) return { status: 404, body: 'No sandbox for this server.\n' };
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify({ origin }),
  };
}

/** @param {string} url */
function decodePath(url) {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {string} path relative to the folder
 */
async function findFile(folder, path) {
  const file = normalize(join(folder, path));
  if (path.includes('\0') || !`${file}${sep}`.startsWith(normalize(`${folder}${sep}`))) return undefined;
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return file;
  if (!found?.isDirectory()) return undefined;
  const index = join(file, 'index.html');
  return (await stat(index).catch(() => undefined))?.isFile() ? index : undefined;
}
