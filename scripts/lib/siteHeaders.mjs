// The security headers of the site, file by file, and the hosts that it is served under.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names that only lead to this machine. Another name that does is DNS rebinding. A forwarded port may differ. */
const HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** @param {string | undefined} host the Host header */
export const isOwnHost = (host) => host !== undefined && HOST.test(host);

/**
 * The page can't set `frame-ancestors` for itself, and its meta element has no effect on workers, so both are sent here.
 * All files have the same headers. A page that others may frame would get its own ancestors here.
 *
 * @param {string} folder with the index.html whose policy holds for all files
 * @returns {Promise<Record<string, string>>}
 */
export async function headersIn(folder) {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => '');
  const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/i.exec(html)?.[1];
  return {
    'content-security-policy': [...(policy === undefined ? [] : [policy]), "frame-ancestors 'none'"].join(
      '; ',
    ),
    'x-frame-options': 'DENY',
    // Logins come back through a BroadcastChannel, so no window needs its opener.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
