/** What the URL of the page asks for: a server to connect to, and perhaps a tool. Nothing is done before the user agrees. */
import { loadPart } from '../base/loadPart.ts';
import { hideUrlKeys, lacksUrlKeys } from '../base/urlKeys.ts';
import { plural } from '../base/format.ts';
import type { Workspace } from '../client/inspector/index.ts';
import { draftKey, type Drafts } from './storage/drafts.ts';
import type { LinkRequest } from './linkRequest.ts';
import type { ServerView } from './serverView.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

export interface PageLinkOptions {
  readonly request: LinkRequest | undefined;
  /** Takes the link out of the URL. */
  readonly done: () => void;
  readonly workspace: Workspace;
  readonly servers: () => readonly ServerView[];
  readonly selected: () => ServerView | undefined;
  readonly toasts: Toasts;
  /** Shows why the work failed. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

export class PageLink {
  readonly #o: PageLinkOptions;
  #request = $state.raw<LinkRequest>();

  constructor(options: PageLinkOptions) {
    this.#o = options;
    this.#request = options.request;
  }

  /** Until the user has answered. */
  get request(): LinkRequest | undefined {
    return this.#request;
  }

  /** The server that the link names, if it is on the list: at this very URL. */
  get server(): ServerView | undefined {
    return serverAt(this.#o.servers(), this.#request?.url);
  }

  /** The URL of the page has changed. */
  offer(request: LinkRequest | undefined): void {
    if (request) this.#request = request;
  }

  drop(): void {
    this.#request = undefined;
    this.#o.done();
  }

  /** Connects to what the link names, and lays the tool and its arguments out; calling it is up to the user. */
  async follow(drafts: Drafts): Promise<void> {
    const request = this.#request;
    const known = this.server;
    this.drop();
    if (!request || !(await this.#o.attempt(() => this.#connect(request.url, known)))) return;
    const server = this.#o.selected();
    if (!server || request.tool === undefined) return;
    server.place.write('section', 'tools');
    if (request.args !== undefined) {
      drafts.write(draftKey(server.id, 'tool', request.tool), {
        mode: 'json',
        values: {},
        json: request.args,
      });
    }
    server.selection.pickTool(request.tool);
  }

  /** Follows the link of the bridge that serves this page; the user is asked about what the bridge doesn't confirm. */
  async openBridged(urls: readonly string[]): Promise<void> {
    const { attempt, workspace, toasts } = this.#o;
    await attempt(async () => {
      const { openBridged } = await loadPart(() => import('./openBridged.ts'));
      const { ids, refused } = await openBridged(urls, workspace, (url, init) => fetch(url, init));
      if (ids.length > 1) {
        toasts.show({ text: `${plural(ids.length, 'server')} added. Connect to them from the list.` });
      }
      const [url] = refused;
      if (url !== undefined) this.offer({ url });
    });
  }

  /** What is not on the list is a new server: a link changes none that is known. */
  async #connect(url: string, known: ServerView | undefined): Promise<void> {
    const { workspace } = this.#o;
    const id = known?.id ?? (await workspace.add(url, {}, 'link'));
    workspace.select(id);
    await workspace.connectTo(id);
  }
}

/** A server whose key is missing here is meant by its URL with any key. */
export function serverAt(servers: readonly ServerView[], url: string | undefined): ServerView | undefined {
  if (url === undefined) return undefined;
  return (
    servers.find((server) => server.url === url) ??
    servers.find((server) => lacksUrlKeys(server.url) && hideUrlKeys(server.url) === hideUrlKeys(url))
  );
}
