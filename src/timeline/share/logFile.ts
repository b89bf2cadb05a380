/** The log as a file of its own format: written piece by piece, so that a large one is never in memory as a whole. */
import { hideUrlKeys } from '../../base/urlKeys.ts';
import { figure } from '../../base/words.ts';
import { VERSION, type Entry } from '../../log/entry/entry.ts';
import { toFileEntry, type FileEntry } from '../../log/entry/publicEntry.ts';
import { bare } from './bare.ts';
import { withoutQuery } from './bareParts.ts';

export const FORMAT = 'reprise-log';

export interface LogInfo {
  readonly server: string;
  /** As in `window.reprise`; a log that was imported elsewhere gets another. */
  readonly serverId?: string;
  readonly url: string;
  readonly exportedAt: number;
}

export interface ShareOptions {
  /** Leave out what messages say; `bare.ts` names what stays. */
  readonly withoutContent?: boolean;
  /** So many of the oldest entries are left out. */
  readonly skipped?: number;
}

/** What is not in an export, in words: shown before it is made, and written at its beginning. */
export function leftOut({ withoutContent = false, skipped = 0 }: ShareOptions = {}): readonly string[] {
  return [
    'Tokens, client secrets and values of secret fields: they are never recorded. Exceptions: a server sends one back in an unknown encoding, it has fewer than 6 characters, or it comes back after a reload and is the value of a secret field, a replaced token or a used code.',
    'The values of authorization and cookie headers, of headers that you typed in, and of keys in the server URL.',
    'Session IDs, except their first eight characters.',
    ...(withoutContent
      ? [
          'What messages say: arguments, results, answers, notifications and error texts. Methods, tool and prompt names, IDs, basic HTTP headers, status codes, times and the codes of reasons stay.',
        ]
      : []),
    ...(skipped > 0
      ? [`The oldest ${figure(skipped)} entries. Export the log as JSON to get all of them.`]
      : []),
  ];
}

export async function* printLogFile(
  info: LogInfo,
  chunks: AsyncIterable<readonly Entry[]>,
  options: ShareOptions = {},
): AsyncGenerator<string> {
  const head = { format: FORMAT, version: VERSION, leftOut: leftOut(options), ...shownInfo(info, options) };
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  let separator = '\n';
  for await (const entries of chunks) {
    let text = '';
    for (const entry of entries) {
      text += separator + JSON.stringify(shared(info, entry, options));
      separator = ',\n';
    }
    yield text;
  }
  yield '\n]}\n';
}

/** What an export says of its server: the URL without its keys, and without its query where content is left out. */
function shownInfo(info: LogInfo, { withoutContent = false }: ShareOptions): LogInfo {
  return { ...info, url: withoutContent ? withoutQuery(info.url) : hideUrlKeys(info.url) };
}

/** An entry as exports show it. */
function shared(
  { server, serverId }: LogInfo,
  entry: Entry,
  { withoutContent = false }: ShareOptions,
): FileEntry {
  const shown = toFileEntry(server, withoutContent ? bare(entry) : entry);
  return serverId === undefined ? shown : { ...shown, serverId };
}
