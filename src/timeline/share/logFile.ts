/** The log as a file of its own format: written piece by piece, so that a large one is never in memory as a whole. */
import { VERSION, type Entry } from '../../log/entry.ts';
import { toLogEntry, type LogEntry } from '../../log/publicEntry.ts';

export const FORMAT = 'reprise-log';

export interface LogInfo {
  readonly server: string;
  readonly url: string;
  readonly exportedAt: number;
}

export interface ShareOptions {
  /** Leave out what messages say; their methods, sizes and times stay. */
  readonly withoutContent?: boolean;
}

/** What is not in an export, in words: shown before it is made, and written at its beginning. */
export function leftOut({ withoutContent = false }: ShareOptions = {}): readonly string[] {
  return [
    'Tokens, passwords and client secrets: they are never recorded.',
    'The values of authorization and cookie headers, and of headers that you typed in.',
    'Session ids, but for their first eight characters.',
    ...(withoutContent
      ? ['What messages say: arguments, results and notifications, but for their methods.']
      : []),
  ];
}

export async function* printLogFile(
  info: LogInfo,
  chunks: AsyncIterable<readonly Entry[]>,
  options: ShareOptions = {},
): AsyncGenerator<string> {
  const head = { format: FORMAT, version: VERSION, leftOut: leftOut(options), ...info };
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const entries of chunks) {
    let text = '';
    for (const entry of entries) {
      text += separator + JSON.stringify(shared(info.server, entry, options));
      separator = ',\n';
    }
    yield text;
  }
  yield '\n]}\n';
}

/** An entry as exports show it. */
function shared(server: string, entry: Entry, { withoutContent = false }: ShareOptions): LogEntry {
  return toLogEntry(server, withoutContent ? bare(entry) : entry);
}

export function bare(entry: Entry): Entry {
  if ('raw' in entry) {
    const { method } = entry;
    const raw = JSON.stringify({ jsonrpc: '2.0', ...(method !== undefined && { method }) });
    return { ...entry, raw };
  }
  if (entry.kind === 'call' && entry.change.name === 'sending') {
    return { ...entry, change: { ...entry.change, args: {} } };
  }
  return entry.kind === 'malformed' ? { ...entry, excerpt: '' } : entry;
}
