/** A stdio server to be tested, behind a bridge of its own for as long as the run takes. */
import { serverEnvironment } from '../../bridge/environment.ts';
import { nameOfCommand } from '../../bridge/servers.ts';
import { startBridge } from '../../bridge/startBridge.ts';
import { HarnessError } from '../harnessError.ts';
import type { StdioCommand } from './verifyCommand.ts';
import type { Env } from './readSecret.ts';
import { shellWords } from './shellWords.ts';

export interface RunningStdio {
  readonly url: string;
  close(): Promise<void>;
}

export async function startStdio(
  { command: text, env: named }: StdioCommand,
  env: Env,
): Promise<RunningStdio> {
  const [command = '', ...args] = shellWords(text);
  const { values } = serverEnvironment(env, named);
  const name = nameOfCommand(command, args);
  const bridge = await startBridge({
    servers: [{ transport: 'stdio', name, program: { command, args, env: values } }],
  });
  const [server] = bridge.servers;
  if (!server) throw new HarnessError('unreachable', 'The bridge has no server.');
  return { url: server.url, close: () => bridge.close() };
}
