// Serves the sandbox of MCP Apps at an origin of its own: another port. A host name of its own would be another site, and
// browsers that block third-party cookies give another site no storage.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwnHost, SANDBOX, sandboxHeaders, withHostOrigins } from './siteHeaders.mjs';

/** Far from the port of the page, so that the next instance can have the next port. */
const OFFSET = 20_000;

/** The same for the same page, so that views find their storage again. @param {number} port of the page */
export const sandboxPort = (port) => (port + OFFSET <= 65_535 ? port + OFFSET : port - OFFSET);

/**
 * Of the same site as the page. A policy can't name an IPv6 address.
 *
 * @param {string} host the Host header of the page
 * @param {number} port of the sandbox
 */
export function appsOriginAt(host, port) {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name.startsWith('[') ? undefined : `http://${name}:${port}`;
}

/**
 * @param {string} folder
 * @param {number} pagePort
 * @returns {import('node:http').RequestListener}
 */
export function sandboxListener(folder, pagePort) {
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
