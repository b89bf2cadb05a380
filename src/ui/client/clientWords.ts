/** The sentences of what the page tells a server about itself. */

export const WORDS = {
  declared:
    'Clear one to see what the server hides without it. Reprise reconnects, and running calls are lost.',
  roots: 'Folders listed to the server when it requests roots. It gets no access to your files.',
  noRoots: 'No roots. The server gets an empty list.',
  minutes: 'Enter a number of minutes, for example 10.',
  timeout:
    'When the time is over, an elicitation is cancelled and a sampling request is declined, and the inbox says so.',
  noReplies: 'No saved replies. Save one when you answer a sampling request.',
  trace: 'Send a traceparent with each call',
  requests: 'Requests from this server',
} as const;
