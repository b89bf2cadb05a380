/** URLs that come from a server: http and https, and nothing that could run in this page. */
import { isLoopback } from '../base/localNetwork.ts';
import { ReasonError } from '../log/reasons/reasonError.ts';

/** @param name the field of the metadata that the URL is from, where that is known */
export function requireWebUrl(url: URL, name?: string): URL {
  if (url.protocol === 'https:' || url.protocol === 'http:') return url;
  throw new ReasonError({ code: 'unsafe-url', how: 'scheme', text: url.protocol, ...field(name) });
}

/** For passwords, codes and secrets: unencrypted on this machine only (RFC 9700, 2.6). */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

export function requireSecureUrl(url: URL, name?: string): URL {
  if (isSecureUrl(requireWebUrl(url, name))) return url;
  throw new ReasonError({ code: 'unsafe-url', how: 'http', host: url.host, ...field(name) });
}

const field = (name: string | undefined): { readonly name?: string } => (name === undefined ? {} : { name });
