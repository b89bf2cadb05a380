/** The error codes of MCP in words: what happened, and what can be done. */

const WORDS: Readonly<Record<number, string>> = {
  [-32700]: 'The server could not read the request as JSON.',
  [-32600]: 'The server took the request for malformed.',
  [-32601]: 'The server does not know this method.',
  [-32602]: 'The server refused the parameters.',
  [-32603]: 'The server failed inside.',
  [-32002]: 'The server has no such resource.',
  [-32020]:
    'The headers and the body of the request differ, says the server. The list of tools may be out of date.',
  [-32021]: 'The server needs a capability that this page did not declare.',
  [-32022]: 'The server does not speak this revision of the protocol.',
  [-32042]: 'The server wants you to visit an address before it goes on.',
};

/** What a code means; nothing for codes that are a server's own. */
export function errorWords(code: number): string | undefined {
  return WORDS[code];
}
