/** `mcp-reprise bridge`: starts the bridge with the app, prints its link, and ends with everything that it started. */
import { readFile } from 'node:fs/promises';
import { DEFAULT_PORT, OWN_DATA } from '../../scripts/lib/port.mjs';
import { openBrowser } from '../../scripts/lib/openBrowser.mjs';
import { ConfigError, readConfig, type ConfiguredServer } from '../../bridge/config.ts';
import { serverEnvironment } from '../../bridge/environment.ts';
import { canBeStarted } from '../../bridge/findProgram.ts';
import { isError, noticeText, type NoticeSink } from '../../bridge/notices.ts';
import { commandText, nameOfCommand } from '../../bridge/servers.ts';
import { startBridge, type RunningBridge } from '../../bridge/startBridge.ts';
import { openStores } from '../../bridge/stores.ts';
import { DEFAULT_LOG_LIMITS } from '../../targets/core/eventLog.ts';
import { HarnessError } from '../harnessError.ts';
import { findSiteFolder } from '../page/site.ts';
import { bannerOf } from './bridgeBanner.ts';
import { parseBridge, type BridgeCommand } from './bridgeOptions.ts';
import { untilStopped } from './untilStopped.ts';
import { atFreePort } from './freePort.ts';

export async function runBridge(argv: readonly string[]): Promise<number> {
  const command = parseBridge(argv, process.env);
  const configured = await readServers(command);
  const servers = configured.flatMap((one) => (one.kind === 'server' ? [one.server] : []));
  if (command.source.kind === 'command') {
    const [server] = servers;
    if (server?.transport === 'stdio' && !canBeStarted(server.program)) {
      console.error(
        `Can't start "${commandText(server.program)}": ${server.program.command} wasn't found, or isn't executable.`,
      );
      return 1;
    }
  }
  const site = await findSiteFolder(console.log);
  const notify: NoticeSink = (notice, source) => {
    if (!command.isQuiet || isError(notice)) console.log(noticeText(notice, source, new Date()));
  };
  await checkStore(command.store);
  const start = (port: number): Promise<RunningBridge> =>
    startBridge({
      servers,
      site,
      port,
      notify,
      isNamed: command.source.kind === 'config',
      origins: command.origins,
      replay: command.replay,
      store: command.store,
      ...command.limits,
      ...(command.token !== undefined && { token: command.token }),
    });
  const bridge = await atFreePort(
    start,
    command.port,
    DEFAULT_PORT,
    (port) =>
      new HarnessError(
        'usage',
        `Port ${port} is in use. Try another: mcp-reprise bridge --port ${port + 1} …\n${OWN_DATA}`,
      ),
  );
  console.log(bannerOf(bridge.link, configured, command, serverEnvironment(process.env, command.env)));
  if (command.opensBrowser && process.stdout.isTTY) openBrowser(bridge.onceLink());
  await untilStopped((now) => bridge.close(now));
  return 0;
}

/** Before anything else is started. The URL of a store may have a password, so it isn't shown. */
async function checkStore(url: string): Promise<void> {
  try {
    await (await openStores(url, { ...DEFAULT_LOG_LIMITS, maxAgeMs: 1000 })).close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new HarnessError('usage', `Can't connect to the store at ${new URL(url).host}: ${why}`);
  }
}

async function readServers({ source, env, headers }: BridgeCommand): Promise<readonly ConfiguredServer[]> {
  switch (source.kind) {
    case 'command': {
      const { command, args } = source;
      const program = { command, args, env: serverEnvironment(process.env, env).values };
      return [
        { kind: 'server', server: { transport: 'stdio', name: nameOfCommand(command, args), program } },
      ];
    }
    case 'url':
      return [
        {
          kind: 'server',
          server: { transport: 'http', name: new URL(source.url).host, url: source.url, headers },
        },
      ];
    case 'config': {
      const { path, only } = source;
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        throw new HarnessError(
          'usage',
          `Can't read ${path}: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
      try {
        return readConfig(text, { path, only, named: env, env: process.env });
      } catch (error) {
        if (error instanceof ConfigError) throw new HarnessError('usage', error.message);
        throw error;
      }
    }
  }
}
