/** The sentences of what is known of a server. */

export const WORDS = {
  checked: (at: number) => `Checked on ${new Date(at).toLocaleString()}.`,
  reconnects: 'Reconnects; running calls are lost',
  stateless: 'none: 2026-07-28 has no sessions',
  noSession: 'none: the server sent no session ID with its response to initialize',
  handshake: 'The whole handshake',
  connect: 'Connect to see server information.',
} as const;
