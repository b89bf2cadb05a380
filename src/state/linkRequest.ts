/**
 * A link to the app that names a server, and maybe a tool and its arguments: `?server=…&tool=…&args=…`. Anybody can
 * have written it, so nothing is connected to before a person has said so.
 */
import { isObject } from '../base/json.ts';
import { withoutUrlKeys } from '../base/urlKeys.ts';

export interface LinkRequest {
  readonly url: string;
  readonly tool?: string;
  /** The arguments as JSON text, to be looked at before anything is called. */
  readonly args?: string;
  /** What of the link cannot be used. */
  readonly problem?: string;
}

const NAMES = ['server', 'tool', 'args'] as const;

export function readLink({ searchParams }: URL): LinkRequest | undefined {
  const address = searchParams.get('server');
  if (address === null) return undefined;
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { url: address, problem: 'It does not name an address under http or https.' };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      url: url.href,
      problem: 'Its address holds a name or a password. These do not belong in links.',
    };
  }
  const tool = searchParams.get('tool');
  const args = searchParams.get('args');
  return { url: url.href, ...(tool !== null && { tool }), ...(args !== null && readArguments(args)) };
}

export function withoutLink(url: URL): string {
  const clean = new URL(url);
  for (const name of NAMES) clean.searchParams.delete(name);
  return clean.href;
}

export function linkTo(page: URL, { url, tool, args }: Omit<LinkRequest, 'problem'>): string {
  const link = new URL(withoutLink(page));
  link.hash = '';
  // A link is passed on to others: whoever opens it has a key of their own.
  link.searchParams.set('server', withoutUrlKeys(url));
  if (tool !== undefined) link.searchParams.set('tool', tool);
  if (args !== undefined) link.searchParams.set('args', args);
  return link.href;
}

function readArguments(text: string): Pick<LinkRequest, 'args'> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { args: JSON.stringify(value, undefined, 2) } : {};
  } catch {
    return {};
  }
}
