/** The sentences of the list of servers. */
import type { Sentence } from '../parts/sentence.ts';

export const WORDS = {
  bridge:
    'For a stdio server, or a server without CORS, run the bridge in a terminal. It accepts a command or a URL.',
  nextConnection: 'Takes effect on the next connection.',
  paste:
    'Paste an mcp.json, a server.json, or MCP settings from VS Code, Cursor, Claude, Windsurf, Gemini or Zed.',
  byUrl: 'Add by URL',
  add: 'Add and connect',
  cleared: (from: string) => `Credentials cleared: they belong to ${from}.`,
  loading: 'Loading saved settings…',
  enterValue: (what: string) => `Enter a value for ${what}, or deselect that server.`,
  added: (servers: string) => `${servers} added. Connect from the list above.`,
  import: 'Import from a config file',
  importExample: '{ "mcpServers": { "docs": { "url": "https://…/mcp" } } }',
  all: 'Or run all servers of the file at once, with their environment variables:',
  stdio: (name: string, command: string): Sentence => [
    { strong: name },
    ' is a stdio server (',
    { code: command },
    '). Browsers can’t start local programs. Run it through the bridge in a terminal:',
  ],
  refused: (name: string, why: string): Sentence => [{ strong: name }, ` can’t be added. ${why}`],
  none: 'No servers yet.',
} as const;
