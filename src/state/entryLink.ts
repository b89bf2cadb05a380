/** Addresses that open the app at one entry. What they name is in the fragment, which no server ever sees. */
import type { AppView } from './appView.svelte.ts';

export interface EntryLink {
  /** The id of the server; in a link of an earlier version, its name. */
  readonly server: string;
  /** For people, and for a browser that has the log under another id. */
  readonly name?: string;
  readonly seq: number;
}

export function printEntryLink(page: string, { server, name, seq }: EntryLink): string {
  const url = new URL(page);
  const named = name !== undefined && { name };
  url.hash = new URLSearchParams({ server, ...named, entry: String(seq) }).toString();
  return url.href;
}

export function parseEntryLink(page: string): EntryLink | undefined {
  const parameters = new URLSearchParams(new URL(page).hash.slice(1));
  const server = parameters.get('server');
  const name = parameters.get('name');
  const seq = Number(parameters.get('entry'));
  if (server === null || !Number.isInteger(seq) || seq <= 0) return undefined;
  return { server, seq, ...(name !== null && { name }) };
}

/** Goes where the address says, once: afterwards the address is the page's own again. */
export function followEntryLinks(app: AppView): void {
  const follow = (): void => {
    const link = parseEntryLink(location.href);
    if (!link) return;
    const name = link.name ?? link.server;
    const server =
      app.servers.find(({ id }) => id === link.server) ?? app.servers.find((one) => one.name === name);
    history.replaceState(history.state, '', location.pathname + location.search);
    if (!server) {
      app.report(`This link points to an entry of “${name}”, which isn’t in Reprise. Import its log first.`);
      return;
    }
    app.select(server.id);
    server.timeline.change({ selected: link.seq, isFollowing: false, filter: '', range: undefined });
    server.timeline.setTab('log');
  };
  follow();
  addEventListener('hashchange', follow);
}
