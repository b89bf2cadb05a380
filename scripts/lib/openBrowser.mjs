import { spawn } from 'node:child_process';

/**
 * The command that opens an address in the person's browser; `undefined` where there is nobody to see it.
 *
 * @param {string} url
 * @param {{ platform: string, env: Record<string, string | undefined> }} machine
 * @returns {{ command: string, args: string[] } | undefined}
 */
export function openCommand(url, { platform, env }) {
  if (env.CI || env.BROWSER === 'none' || env.SSH_CONNECTION) return undefined;
  if (platform === 'darwin') return { command: 'open', args: [url] };
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', '', url] };
  if (env.DISPLAY || env.WAYLAND_DISPLAY) return { command: 'xdg-open', args: [url] };
  return undefined;
}

/** @param {string} url */
export function openBrowser(url) {
  const open = openCommand(url, process);
  if (!open) return;
  const child = spawn(open.command, open.args, { detached: true, stdio: 'ignore' });
  // The address was printed: a browser that does not open is no failure.
  child.on('error', () => undefined);
  child.unref();
}
