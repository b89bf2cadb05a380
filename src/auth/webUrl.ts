/** URLs that come from a server: http and https, and nothing that could run in this page. */
import { isLoopback } from '../base/localNetwork.ts';

export function requireWebUrl(url: URL, what: string): URL {
  if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  throw new Error(
    `${what} begins with “${url.protocol}”, which this page refuses to open. Only http and https are safe.`,
  );
}

/** For passwords, codes and secrets: unencrypted on this machine only (RFC 9700, 2.6). */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

export function requireSecureUrl(url: URL, what: string): URL {
  if (isSecureUrl(requireWebUrl(url, what))) return url;
  throw new Error(`${what} uses http (${url.host}). Only https is safe there, or http on this machine.`);
}
