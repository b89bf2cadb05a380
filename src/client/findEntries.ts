/** The entries of a tab by the timeline's own filter, and the whole log as text: for scripts. */
import { createBreather } from '../base/breather.ts';
import { toLogEntry, type LogEntry } from '../log/publicEntry.ts';
import { Matcher } from '../timeline/filter/matcher.ts';
import { parseQuery } from '../timeline/filter/query.ts';
import { LogIndex } from '../timeline/logIndex.ts';
import { printLogFile } from '../timeline/share/logFile.ts';
import type { ServerTab } from './serverTab.ts';

export async function findEntries(tab: ServerTab, filter: string): Promise<readonly LogEntry[]> {
  const query = parseQuery(filter);
  if (!query.ok) throw new Error(query.error.message);
  const index = new LogIndex();
  const matcher = new Matcher(query.value, index);
  const breathe = createBreather();
  const found: LogEntry[] = [];
  // How long an exchange took is known only at its end.
  if (matcher.readsDurations) for await (const entries of tab.entries()) index.add(entries);
  for await (const entries of tab.entries()) {
    index.add(entries);
    for (const entry of entries) {
      const i = index.positionOf(entry.seq);
      if (index.seqAt(i) !== entry.seq || !matcher.mayMatch(i)) continue;
      if (!matcher.readsText || matcher.matchesText(entry)) found.push(toLogEntry(tab.id, entry));
    }
    await breathe();
  }
  return found;
}

export async function exportLog(tab: ServerTab): Promise<string> {
  const parts: string[] = [];
  const info = { server: tab.id, url: tab.url, exportedAt: Date.now() };
  for await (const part of printLogFile(info, tab.entries())) parts.push(part);
  return parts.join('');
}
