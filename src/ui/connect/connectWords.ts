/** The sentences of the start page and of connecting. */

export const WORDS = {
  lead: 'Tools, resources, prompts, elicitation, OAuth and a timeline of every message, straight from your browser. No install, no proxy, no account.',
  stepCall: 'Run a tool that takes a while.',
  stepReload: 'The page reloads. The tool keeps running.',
  stepResult: 'Missed events are replayed, and the result arrives.',
  demo: 'A real MCP server that runs in this browser. Nothing to install.',
  bridge: 'Or connect through the bridge without changing the server. Run in a terminal:',
  typedCommand:
    'This is a command, and browsers can’t start programs. Run it through the bridge in a terminal:',
} as const;
