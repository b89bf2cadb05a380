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
  if (!url) return err('This is not an address, so it cannot be opened.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return err(`It begins with “${url.protocol}”. Only http and https addresses are opened from here.`);
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
  if (username !== '' || password !== '') return 'What stands before the @ is a name, not the site.';
  return hostname.split('.').some((label) => label.startsWith('xn--'))
    ? 'Its name has letters that may look like others.'
    : undefined;
}
