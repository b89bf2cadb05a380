/** The documents of a server's views: kept, so that a reload shows the same one, or read from the server. */
import { readDocument, uiOf, type ViewDocument } from '../../apps/readDocument.ts';
import { isObject, stringField } from '../../base/json.ts';
import type { ServerHandle } from '../../client/inspector/index.ts';
import type { AppFacts } from '../../log/state/appViews.ts';
import type { ServerView } from '../serverView.svelte.ts';

export interface KeptView extends ViewDocument {
  readonly sha256: string;
}

export interface OpenedDocument {
  readonly view: KeptView;
  /** `changed`: the first one is no longer stored, and the server has another one. */
  readonly from: 'storage' | 'server' | 'changed';
}

const KEPT_VIEWS = 10;
const KEPT_CHARS = 10_000_000;

export interface DocumentSource {
  /** `resources/read` */
  read(uri: string): Promise<unknown>;
  /** The resource in `resources/list`, which need not have it. */
  listed(uri: string): Promise<unknown>;
}

export const documentsOf = (server: ServerView): DocumentSource => ({
  read: (uri) => server.readResource(uri),
  listed: async (uri) => {
    if (!server.hasLists) await server.refreshLists().catch(() => undefined);
    return server.lists.resources.find((one) => one.uri === uri);
  },
});

export async function openDocument(
  tab: Pick<ServerHandle, 'loadViews' | 'saveViews'>,
  uri: string,
  known: AppFacts | undefined,
  source: DocumentSource,
): Promise<OpenedDocument> {
  const stored = await loadViews(tab);
  const kept = stored.find(({ sha256 }) => sha256 === known?.sha256);
  if (kept) return { view: kept, from: 'storage' };
  const response = readDocument(uri, await source.read(uri));
  if (!response.ok) throw new Error(response.error);
  const { html, ui = uiOf(await source.listed(uri)) ?? {} } = response.value;
  const view = { sha256: await sha256Of(html), uri, html, ui };
  await keep(tab, view).catch(() => undefined);
  return { view, from: known && known.sha256 !== view.sha256 ? 'changed' : 'server' };
}

/** The newest documents stay, as many as there is room for. */
async function keep(tab: Pick<ServerHandle, 'loadViews' | 'saveViews'>, view: KeptView): Promise<void> {
  const others = (await loadViews(tab)).filter(({ sha256 }) => sha256 !== view.sha256);
  let chars = 0;
  const kept = [...others, view]
    .slice(-KEPT_VIEWS)
    .reverse()
    .filter(({ html }) => (chars += html.length) <= KEPT_CHARS);
  await tab.saveViews(kept.reverse());
}

async function loadViews(tab: Pick<ServerHandle, 'loadViews'>): Promise<readonly KeptView[]> {
  const stored = await tab.loadViews();
  return Array.isArray(stored) ? stored.filter(isKeptView) : [];
}

function isKeptView(value: unknown): value is KeptView {
  return (
    isObject(value) &&
    ['sha256', 'uri', 'html'].every((name) => stringField(value, name) !== undefined) &&
    isObject(value['ui'])
  );
}

async function sha256Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
