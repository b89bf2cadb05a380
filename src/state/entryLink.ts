/** Addresses that open the app at one entry. What they name is in the fragment, which no server ever sees. */
import type { AppView } from './appView.svelte.ts';

export interface EntryLink {
  readonly server: string;
  readonly seq: number;
}

export function printEntryLink(page: string, { server, seq }: EntryLink): string {
  const url = new URL(page);
  url.hash = new URLSearchParams({ server, entry: String(seq) }).toString();
  return url.href;
}

export function parseEntryLink(page: string): EntryLink | undefined {
  const parameters = new URLSearchParams(new URL(page).hash.slice(1));
  const server = parameters.get('server');
  const seq = Number(parameters.get('entry'));
  return server !== null && Number.isInteger(seq) && seq > 0 ? { server, seq } : undefined;
}

/** Goes where the address says, once: afterwards the address is the page's own again. */
export function followEntryLinks(app: AppView): void {
  const follow = (): void => {
    const link = parseEntryLink(location.href);
    const server = link && app.servers.find(({ id }) => id === link.server);
    if (!link) return;
    history.replaceState(history.state, '', location.pathname + location.search);
    if (!server) {
      app.report(
        `The link names an entry of “${link.server}”, which is not known here. Import its log first.`,
      );
      return;
    }
    app.select(server.id);
    server.timeline.change({ selected: link.seq, isFollowing: false, filter: '', range: undefined });
  };
  follow();
  addEventListener('hashchange', follow);
}
