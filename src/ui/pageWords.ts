/** The sentences of the page as a whole: its notices, and what it says when it can’t start. */

export const WORDS = {
  heldBack: 'The list of servers that can’t be opened',
  logLink: 'The question about the link',
  link: 'The link prompt',
  notice: 'A notice about this server',
  serverPage: 'The server’s page',
  storage: {
    refused: {
      what: 'Storage is blocked. A reload would lose the log and all open calls.',
      fix: 'Allow site data, or use a regular (not private) window, then reload.',
    },
    full: {
      what: 'Storage is full. A reload would lose everything received since then.',
      fix: 'Remove servers you no longer need, or free disk space, then reload.',
    },
  },
  notRemoved: (why: string) => `Can’t remove this server: ${why}`,
  notStarted: 'Reprise couldn’t start.',
  tryAgain:
    'Your data is unchanged. Try again. If that doesn’t help, close other Reprise tabs or allow this site to store data.',
  export: 'If it happens again, export a server’s log and remove the server.',
  logStays: 'Its log stays until you remove it.',
  removes: 'Its log, saved calls and credentials are deleted.',
  framed: 'Reprise doesn’t run inside another page.',
  ownTab: 'Open Reprise in its own tab',
} as const;
