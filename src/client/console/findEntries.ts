/** The entries of a tab by the timeline's own filter: for scripts. */
import { createYielder } from '../../base/yieldToEventLoop.ts';
import { runLimited } from '../../limited/runLimited.ts';
import { objectField, stringField } from '../../base/json.ts';
import type { Entry } from '../../log/entry/entry.ts';
import { messageOf } from '../../log/log.ts';
import { toLogEntry, type LogEntry } from '../../log/entry/publicEntry.ts';
import { Matcher, searchedText } from '../../timeline/filter/matcher.ts';
import { PatternBatch } from '../../timeline/filter/patternBatch.ts';
import { parseQuery } from '../../timeline/filter/query.ts';
import { LogIndex } from '../../timeline/logIndex.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';
import { withServer, type NamedServer } from './withServer.ts';

export async function findEntries(tab: ServerHandle, filter: string): Promise<readonly LogEntry[]> {
  const query = parseQuery(filter);
  if (!query.ok) throw new Error(query.error.message);
  const index = new LogIndex();
  const matcher = new Matcher(query.value, index);
  const yieldIfDue = createYielder();
  const batch = new PatternBatch<Entry>(matcher.patterns, runLimited);
  const found: LogEntry[] = [];
  const decide = async () => {
    const matching = await batch.take();
    if (!matching.ok) throw new Error(matching.error);
    for (const entry of matching.value) found.push(withServer(tab, toLogEntry(tab.name, entry)));
  };
  // How long an exchange took is known only at its end.
  if (matcher.readsDurations) for await (const entries of tab.entries()) index.add(entries);
  for await (const entries of tab.entries()) {
    index.add(entries);
    for (const entry of entries) {
      const i = index.positionOf(entry.seq);
      if (index.seqAt(i) !== entry.seq || !matcher.mayMatch(i)) continue;
      const text = matcher.readsText ? searchedText(entry) : '';
      if (matcher.matchesWords(text)) batch.add(entry, text);
      if (batch.isFull) await decide();
    }
    await decide();
    await yieldIfDue();
  }
  return found;
}

/** A `notifications/message`, as a script reads it. */
export interface LogMessage {
  readonly seq: number;
  readonly at: number;
  readonly level: string;
  readonly logger?: string;
  readonly data: unknown;
  readonly callId?: string;
  readonly replayed?: true;
}

const DEFAULT_LIMIT = 500;

export async function newestLogMessages(
  tab: ServerHandle,
  limit = DEFAULT_LIMIT,
): Promise<readonly (LogMessage & NamedServer)[]> {
  const entries = await tab.newestEntries(
    limit,
    (entry) => entry.kind === 'received' && entry.method === 'notifications/message',
  );
  return entries.map((entry) => withServer(tab, readLogMessage(entry)));
}

function readLogMessage(entry: Entry): LogMessage {
  const params = objectField(messageOf(entry), 'params') ?? {};
  const logger = stringField(params, 'logger');
  return {
    seq: entry.seq,
    at: entry.at,
    level: stringField(params, 'level') ?? 'info',
    ...(logger !== undefined && { logger }),
    data: params['data'],
    ...('callId' in entry && entry.callId !== undefined && { callId: entry.callId }),
    ...('replayed' in entry && { replayed: true }),
  };
}
