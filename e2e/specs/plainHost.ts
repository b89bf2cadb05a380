/** A static host that sends no security headers, as many do, on a port that another project can take over. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export interface PlainHost {
  readonly url: string;
  close(): Promise<void>;
}

/** @param site a folder, or the files by their paths */
export async function startPlainHost(
  site: string | Readonly<Record<string, string>>,
  port = 0,
): Promise<PlainHost> {
  const read = (path: string): Promise<string | Buffer> => {
    const name = path === '/' ? '/index.html' : path;
    if (typeof site === 'string') return readFile(join(site, name));
    const text = site[name];
    return text === undefined ? Promise.reject(new Error(`no ${name}`)) : Promise.resolve(text);
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    read(pathname).then(
      (body) => response.setHeader('content-type', TYPES[extname(pathname)] ?? 'text/plain').end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
