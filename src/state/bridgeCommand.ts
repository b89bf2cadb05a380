/** The command that brings a server within a page's reach: `npx mcp-reprise bridge`. Pure. */

const BRIDGE = 'npx mcp-reprise bridge';

/** For the docs of the command: the reader puts the command of the server in. */
export const BRIDGE_EXAMPLE = `${BRIDGE} -- <command>`;

/** For a whole configuration file of an editor. */
export const BRIDGE_CONFIG = `${BRIDGE} --config mcp.json`;

/** @param command as it is typed in a shell; @param env names only, since arguments show in lists of processes */
export function bridgeCommand(command: string, env: readonly string[] = []): string {
  const passed = env.map((name) => `--env ${shellQuote(name)} `).join('');
  return `${BRIDGE} ${passed}-- ${command}`;
}

/** For an HTTP server that doesn't allow the page with CORS. */
export function bridgeUrlCommand(url: string): string {
  return `${BRIDGE} ${shellQuote(url)}`;
}

const LAUNCHERS =
  /^(npx|npm|bunx|bun|pnpm|pnpx|yarn|node|deno|tsx|uvx|uv|pipx|python|python3|py|docker|podman|go|cargo|java|dotnet|ruby|php|cmd|bash|sh)(\.exe|\.cmd)?$/i;

/** The command for what was typed as a server URL, if that is a program to start. */
export function bridgeForTyped(typed: string): string | undefined {
  const text = typed.trim();
  if (/^npx\s+(-y\s+)?mcp-reprise(@\S+)?\s+bridge\s/.test(text)) return text;
  const [program = '', ...rest] = text.split(/\s+/);
  const isPath = /^(~|\.{1,2})?\/[^/]/.test(program);
  const isProgram = rest.length > 0 && LAUNCHERS.test(program.replace(/^.*[/\\]/, ''));
  return isPath || isProgram ? bridgeCommand(text) : undefined;
}

export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
