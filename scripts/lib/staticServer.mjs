import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { appsOriginAt, sandboxListener, sandboxPort } from './sandboxServer.mjs';
import { headersIn, isOwnHost, SANDBOX, sandboxHeaders, withAppsOrigin } from './siteHeaders.mjs';

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

/** Longer than browsers keep idle connections: a request on one that is just being closed is sent twice, or fails. */
const SERVER_OPTIONS = { noDelay: true, keepAliveTimeout: 120_000 };

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
 * @param {boolean} [options.apps] also serves the sandbox of MCP Apps at another port; as any static host, if left out
 * @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => boolean} [options.handle]
 *   sees each request first; `true`: it responds itself
 * @returns {Promise<StaticServer>}
 */
export async function serveStatic({ folder, port = 0, base = '/', apps = false, handle }) {
  let url = '';
  /** @type {number | undefined} */
  let appsPort;
  /** @type {import('node:http').RequestListener} */
  const listener = (request, response) => {
    if (handle?.(request, response)) return;
    const appsOrigin =
      appsPort === undefined ? undefined : appsOriginAt(request.headers.host ?? '', appsPort);
    Promise.all([headersIn(folder, appsOrigin), answer(request, { folder, base, url, appsOrigin })]).then(
      ([always, { status, isSandbox, headers, body }]) => {
        response.writeHead(status, { ...(isSandbox ? sandboxHeaders() : always), ...headers });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
      () => response.writeHead(500).end(),
    );
  };

  const v4 = createServer(SERVER_OPTIONS, listener);
  const taken = await listen(v4, port, '127.0.0.1');
  url = `http://localhost:${taken}${base}`;
  // Some browsers try [::1] first for `localhost`. A machine without IPv6 does without.
  const v6 = createServer(SERVER_OPTIONS, listener);
  try {
    await listen(v6, taken, '::1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      await close(v4);
      throw error;
    }
  }

  const sandboxes = apps ? await listenSandbox(folder, taken) : undefined;
  appsPort = sandboxes?.port;

  return {
    url,
    close: async () => {
      await Promise.all([v4, v6, ...(sandboxes?.servers ?? [])].map(close));
    },
  };
}

/**
 * At the port that belongs to the page's, or at any that is free.
 *
 * @param {string} folder
 * @param {number} pagePort
 */
async function listenSandbox(folder, pagePort) {
  const listener = sandboxListener(folder, pagePort);
  const v4 = createServer(SERVER_OPTIONS, listener);
  const port = await listen(v4, sandboxPort(pagePort), '127.0.0.1').catch(() => listen(v4, 0, '127.0.0.1'));
  const v6 = createServer(SERVER_OPTIONS, listener);
  await listen(v6, port, '::1').catch(() => undefined);
  return { port, servers: [v4, v6] };
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number>} the port
 */
function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** @param {import('node:http').Server} server */
function close(server) {
  return new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {{ folder: string, base: string, url: string, appsOrigin: string | undefined }} site
 * @returns {Promise<{ status: number, isSandbox?: boolean, headers?: Record<string, string>, body?: string | Buffer }>}
 */
async function answer(request, { folder, base, url, appsOrigin }) {
  if (!isOwnHost(request.headers.host)) {
    return { status: 403, body: `Reprise isn't available at this host name. Open ${url}\n` };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { allow: 'GET, HEAD' }, body: 'Method not allowed.\n' };
  }
  const path = decodePath(request.url ?? '/');
  if (path === undefined) return { status: 400, body: 'Bad request.\n' };
  if (`${path}/` === base) return { status: 308, headers: { location: encodeURI(base) } };

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
