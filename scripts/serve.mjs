// Serves a built site: node scripts/serve.mjs [--port 4778] [--folder dist] [--base /] [--build]
import './lib/requireNode.mjs';
import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { main } from './lib/main.mjs';
import { commandOf, DIST } from './lib/paths.mjs';
import { explainListenError, parsePort } from './lib/port.mjs';
import { runNode } from './lib/run.mjs';
import { serveStatic } from './lib/staticServer.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      folder: { type: 'string', default: DIST },
      base: { type: 'string', default: '/' },
      // Builds into the folder, which must be new, and removes it at the end: a test run has a site of its own.
      build: { type: 'boolean', default: false },
    },
  });
  const folder = resolve(values.folder);
  const port = parsePort(values.port);

  if (values.build) {
    await mkdir(folder);
    const { code, output } = await runNode([commandOf('vite'), 'build', '--outDir', folder]);
    if (code !== 0) {
      process.stderr.write(output);
      throw new Error('Build failed. See the output above.');
    }
  }

  const server = await serveStatic({ folder, port, base: values.base, apps: true }).catch(
    (/** @type {unknown} */ error) => {
      throw new Error(explainListenError(error, port, 'node scripts/serve.mjs'), { cause: error });
    },
  );
  console.log(`Serving ${folder} at ${server.url}`);

  const stop = async () => {
    await server.close();
    if (values.build) await rm(folder, { recursive: true, force: true });
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
  return undefined;
});
