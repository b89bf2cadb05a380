/** `npm run record [-- <profile>…]`: records the logs that the tests read, each from its target. */
import { writeFile } from 'node:fs/promises';
import { printLogFile } from '../../src/timeline/share/logFile.ts';
import { PROFILES } from '../../targets/profiles/index.ts';
import { compact } from './compact.ts';
import { logPath } from './recordedLog.ts';
import { recordProfile } from './recordProfile.ts';

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : PROFILES.map((profile) => profile.name)) {
  const { entries, url } = await recordProfile(name);
  let text = '';
  const info = { server: 'recorded', url, exportedAt: 0 };
  for await (const piece of printLogFile(info, chunksOf(entries))) text += piece;
  await writeFile(logPath(name), compact(text));
  console.log(`${name}: ${entries.length} entries`);
}
// Streams that a target still holds open would keep the process.
process.exit(0);

async function* chunksOf<T>(entries: T): AsyncGenerator<T> {
  yield entries;
}
