/** The whole log of a tab as the text of a file. */
import { printLogFile } from '../../timeline/share/logFile.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { withServer } from './withServer.ts';

export async function exportLog(tab: ServerHandle): Promise<string> {
  const parts: string[] = [];
  const info = { ...withServer(tab, { url: tab.url }), exportedAt: Date.now() };
  for await (const part of printLogFile(info, tab.sharedEntries())) parts.push(part);
  return parts.join('');
}
