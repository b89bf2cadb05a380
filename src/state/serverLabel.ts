/** How a server is called in the header: by the name that the user gave it, else by the one that it gives itself. */

export interface Labelled {
  readonly name: string;
  readonly url: string;
  /** What the server said of itself in the handshake. */
  readonly session?: { readonly handshake: { readonly serverInfo: OwnName } } | undefined;
}

interface OwnName {
  readonly title?: string | undefined;
  readonly name: string;
}

const MAX_CHARS = 80;

/** A name that Reprise made of the URL says nothing that the URL beside it doesn't. */
export function serverLabel(server: Labelled): string {
  const { host } = URL.parse(server.url) ?? { host: server.url };
  const isMade = host !== '' && server.name.startsWith(host);
  return ((isMade && ownName(server)) || server.name).slice(0, MAX_CHARS);
}

/** The name that the server gives itself. */
export function ownName({ session }: Pick<Labelled, 'session'>): string | undefined {
  const { title, name } = session?.handshake.serverInfo ?? {};
  return title || name;
}

/** Servers with the same label are told apart by their name in the list. */
export function serverLabels(servers: readonly Labelled[]): readonly string[] {
  const labels = servers.map(serverLabel);
  return labels.map((label, i) =>
    labels.filter((one) => one === label).length > 1 ? `${label} · ${servers[i]?.name ?? ''}` : label,
  );
}
