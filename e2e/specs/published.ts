/** The site as a host under https publishes it, and an authorization server that can read its document there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { describeClient } from '../../scripts/vite/clientMetadata.ts';
import { test as base } from './inspector.ts';
import { makeCertificate } from './selfSigned.ts';

interface Published {
  readonly site: string;
  /** Who asked for the document that describes the client, by user agent. */
  readonly readers: readonly string[];
  /** The `oauth` target, in a process that trusts the site's certificate. */
  readonly server: { readonly url: string; readonly origin: string };
}

export const test = base.extend<{ published: Published }>({
  published: async ({ baseURL }, use) => {
    const { key, cert } = makeCertificate();
    const readers: string[] = [];
    const host = createServer({ key, cert });
    host.listen(0, '127.0.0.1');
    await once(host, 'listening');
    const site = `https://localhost:${(host.address() as AddressInfo).port}/`;
    const { address, fileName, document } = describeClient(new URL(site));
    const answer = async (path: string): Promise<Response> => {
      if (path === `/${fileName}`) return Response.json(document);
      const file = await fetch(new URL(`.${path}`, baseURL));
      if (path !== '/') return file;
      const html = (await file.text()).replace(
        '</head>',
        `<meta name="client-metadata" content="${address}"></head>`,
      );
      return new Response(html, file);
    };
    host.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname } = new URL(request.url ?? '/', site);
      if (pathname === `/${fileName}`) readers.push(request.headers['user-agent'] ?? '');
      void answer(pathname).then(async (file) => {
        response.setHeader('content-type', file.headers.get('content-type') ?? '');
        response.writeHead(file.status).end(Buffer.from(await file.arrayBuffer()));
      });
    });

    const folder = await mkdtemp(join(tmpdir(), 'reprise-trust-'));
    const trusted = join(folder, 'site.pem');
    await writeFile(trusted, cert);
    const target = spawn(process.execPath, ['--import', 'tsx', 'targets/cli.ts', 'oauth', '--quiet'], {
      cwd: ROOT,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(target.stdout, 'data')) as [Buffer];
    const url = line.toString().replace('ready ', '').trim();
    await use({ site, readers, server: { url, origin: new URL(url).origin } });
    target.kill();
    await once(target, 'exit');
    host.closeAllConnections();
    host.close();
    await rm(folder, { recursive: true });
  },
});
