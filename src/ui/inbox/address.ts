/** An address that a server wants to be opened: where it really leads, and whether it may be. */
import { err, ok, type Result } from '../../base/result.ts';

export interface Address {
  readonly href: string;
  readonly host: string;
  readonly isSecure: boolean;
  /** What a person may overlook. */
  readonly warning?: string;
}

export function readAddress(text: string): Result<Address, string> {
  const url = URL.parse(text);
  if (!url) return err('Not a valid URL.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return err(`“${url.protocol}” URLs can’t be opened here. Only http and https are allowed.`);
  }
  const warning = warningOf(url);
  return ok({
    href: url.href,
    host: url.host,
    isSecure: url.protocol === 'https:',
    ...(warning !== undefined && { warning }),
  });
}

function warningOf({ username, password, hostname }: URL): string | undefined {
  if (username !== '' || password !== '') return 'Careful: the text before “@” is a user name, not the site.';
  return hostname.split('.').some((label) => label.startsWith('xn--'))
    ? 'Careful: the host name contains lookalike characters.'
    : undefined;
}
