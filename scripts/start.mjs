// npm start: from a fresh clone to the app in the browser.
import './lib/requireNode.mjs';
import process from 'node:process';
import { exitWithNpm } from './lib/exitWithNpm.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';
import { openBrowser } from './lib/openBrowser.mjs';
import { commandOf, DIST } from './lib/paths.mjs';
import { explainListenError, parsePort } from './lib/port.mjs';
import { runNode } from './lib/run.mjs';
import { serveStatic } from './lib/staticServer.mjs';

await main(async () => {
  const port = parsePort(process.env.PORT);
  const serve = async () => {
    try {
      return await serveStatic({ folder: DIST, port, apps: true });
    } catch (error) {
      throw new Error(explainListenError(error, port, 'npm start'), { cause: error });
    }
  };
  // Report a port in use before a minute of installing, not after it.
  await (await serve()).close();

  await ensureInstalled();
  console.log('Building…');
  const { code, output } = await runNode([commandOf('vite'), 'build', '--outDir', DIST]);
  if (code !== 0) {
    process.stderr.write(output);
    throw new Error('Build failed. See the output above.');
  }

  exitWithNpm();
  const { url } = await serve();
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} returned HTTP ${response.status} after a successful build.`);
  console.log(
    `\n  Reprise is running at ${url}\n\n  Try it: Open the demo, Call, then press F5.\n  Press Ctrl+C to stop.`,
  );
  openBrowser(url);
  return undefined;
});
