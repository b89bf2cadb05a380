/** The error codes of MCP in words: what happened, and what can be done. */

const WORDS: Readonly<Record<number, string>> = {
  [-32700]: 'The server couldn’t parse the request.',
  [-32600]: 'The server considers the request invalid.',
  [-32601]: 'The server doesn’t support this method.',
  [-32602]: 'The server rejected the parameters.',
  [-32603]: 'Internal server error.',
  [-32002]: 'Resource not found.',
  [-32020]:
    'The server reports that the request’s headers and body don’t match. The tool list may be out of date.',
  [-32021]: 'The server requires a client capability that Reprise doesn’t declare.',
  [-32022]: 'The server doesn’t support this protocol version.',
  [-32042]: 'The server needs you to open a URL first.',
};

/** What a code means; nothing for codes that are a server's own. */
export function errorWords(code: number): string | undefined {
  return WORDS[code];
}
