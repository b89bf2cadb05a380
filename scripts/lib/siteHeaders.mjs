// The security headers of the site, file by file, and the hosts that it is served under.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names that only lead to this machine. Another name that does is DNS rebinding. A forwarded port may differ. */
const HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** @param {string | undefined} host the Host header */
export const isOwnHost = (host) => host !== undefined && HOST.test(host);

/** The page that holds the views of MCP Apps. It is the only one that may be framed. */
export const SANDBOX = 'sandbox.html';

/** Where the page asks for the origin of a server's sandbox. */
export const SANDBOX_ORIGIN = 'sandbox-origin';

const ALWAYS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/**
 * The page can't set `frame-ancestors` for itself, and its meta element has no effect on workers, so both are sent here.
 * All files but the sandbox have the same headers.
 *
 * @param {string} folder with the index.html whose policy holds for all files
 * @param {string} [appsOrigin] where the sandbox has an origin of its own
 * @returns {Promise<Record<string, string>>}
 */
export async function headersIn(folder, appsOrigin) {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => '');
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/i.exec(
    withAppsOrigin(html, appsOrigin),
  )?.[1];
  return {
    'content-security-policy': [...(policy === undefined ? [] : [policy]), "frame-ancestors 'none'"].join(
      '; ',
    ),
    'x-frame-options': 'DENY',
    // Logins come back through a BroadcastChannel, so no window needs its opener.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...ALWAYS,
  };
}

/**
 * The headers of the sandbox. The policy of the view is set by the sandbox itself, for each view.
 *
 * @param {readonly string[]} ancestors who may frame it
 * @returns {Record<string, string>}
 */
export const sandboxHeaders = (ancestors = ["'self'"]) => ({
  'content-security-policy': `frame-ancestors ${ancestors.join(' ')}`,
  // A process of its own: a view that never yields must not stop the page.
  'origin-agent-cluster': '?1',
  ...ALWAYS,
});

/**
 * Lets the page frame the sandbox at another origin, and tells it where. `*` stands for one name per server, or for
 * the port that `sandbox-origin` gives.
 *
 * @param {string} html the page
 * @param {string} [origin]
 */
export function withAppsOrigin(html, origin) {
  if (origin === undefined) return html;
  return html
    .replace("frame-src 'self'", `frame-src 'self' ${origin}`)
    .replace('</head>', `<meta name="apps-origin" content="${origin}" /></head>`);
}

/**
 * Names the pages that a sandbox with an origin of its own serves.
 *
 * @param {string} html the sandbox
 * @param {readonly string[]} hosts their origins
 */
export const withHostOrigins = (html, hosts) =>
  html.replace(
    '<meta name="referrer"',
    `<meta name="host-origins" content="${hosts.join(' ')}" /><meta name="referrer"`,
  );
