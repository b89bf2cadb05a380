/** The log as a file of its own format: written piece by piece, so that a large one is never in memory as a whole. */
import { hideUrlKeys } from '../../base/urlKeys.ts';
import { formatNumber } from '../../base/format.ts';
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
    'Tokens, client secrets and values of secret fields (never recorded). Exceptions: values of fewer than 6 characters, values that the server returns in an unknown encoding, and, after a reload, secret field values, replaced tokens and used codes that the server returns.',
    'Values of Authorization and Cookie headers, of your custom headers, and of keys in the server URL.',
    'Session IDs, except their first eight characters.',
    ...(withoutContent
      ? [
          'Message contents: arguments, results, answers, notification parameters and error texts. Methods, tool and prompt names, IDs, basic HTTP headers, status codes, times and reason codes are included.',
        ]
      : []),
    ...(skipped > 0
      ? [`The oldest ${formatNumber(skipped)} entries. Export the log as JSON to get all of them.`]
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
