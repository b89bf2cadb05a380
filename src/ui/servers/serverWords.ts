/** The sentences of the list of servers. */

export const WORDS = {
  bridge:
    'For a stdio server, or a server without CORS, run the bridge in a terminal. It accepts a command or a URL.',
  nextConnection: 'Takes effect on the next connection.',
  paste:
    'Paste an mcp.json, a server.json, or MCP settings from VS Code, Cursor, Claude, Windsurf, Gemini or Zed.',
} as const;
