/** Writes a log into a file, piece by piece: the browser keeps the pieces, not the page. */
import type { ServerView } from '../../../state/serverView.svelte.ts';
import type { Entry } from '../../../log/entry/entry.ts';
import { printHar } from '../../../timeline/share/har.ts';
import { printHtml } from '../../../timeline/share/html.ts';
import { printLogFile, type ShareOptions } from '../../../timeline/share/logFile.ts';

export const FORMATS = {
  json: { title: 'Reprise log (JSON)', hint: 'Can be imported', type: 'application/json', ending: 'json' },
  har: {
    title: 'HAR 1.2',
    hint: 'HTTP requests and responses, for other tools',
    type: 'application/json',
    ending: 'har',
  },
  html: {
    title: 'HTML report',
    hint: 'The timeline and its details in one file; opens without a network',
    type: 'text/html',
    ending: 'html',
  },
} as const;
export type FileFormat = keyof typeof FORMATS;

/** Text is handed over to a blob when there is this much of it. */
const PART_CHARS = 4_000_000;

export async function makeFile(
  format: FileFormat,
  server: ServerView,
  options: ShareOptions & { readonly onlyShown: boolean },
): Promise<{ readonly name: string; readonly blob: Blob }> {
  const { type, ending } = FORMATS[format];
  const info = {
    server: server.name,
    serverId: server.id,
    url: server.url,
    exportedAt: Date.now(),
  };
  const entries = () => (options.onlyShown ? shown(server) : server.log.sharedEntries());
  const pieces =
    format === 'json'
      ? printLogFile(info, entries(), options)
      : format === 'har'
        ? printHar(info, __REPRISE_VERSION__, entries(), options)
        : printHtml(await loadViewer(), info, entries, options);
  const day = new Date(info.exportedAt).toISOString().slice(0, 16).replace(/[T:]/g, '-');
  const name = `${server.name.replace(/[^\w.-]+/g, '-')}-${day}.${ending}`;
  return { name, blob: await toBlob(pieces, type) };
}

/** The page that a log is put into. It's part of the site, and kept for the time without a network. */
async function loadViewer(): Promise<string> {
  const response = await fetch(new URL('viewer.txt', document.baseURI)).catch(() => undefined);
  if (response?.ok !== true)
    throw new Error('Can’t load the page for HTML files. Check the network, and try again.');
  return response.text();
}

async function toBlob(pieces: AsyncIterable<string>, type: string): Promise<Blob> {
  let blob = new Blob([], { type });
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < PART_CHARS) continue;
    blob = new Blob([blob, text], { type });
    text = '';
  }
  return new Blob([blob, text], { type });
}

/** Only what the filter and the range let through. */
async function* shown(server: ServerView): AsyncGenerator<readonly Entry[]> {
  const { seqs } = server.timeline;
  for await (const chunk of server.log.sharedEntries()) {
    yield chunk.filter(({ seq }) => seqs.at(seqs.indexOf(seq)) === seq);
  }
}
