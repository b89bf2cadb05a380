/**
 * A link to the app that names a server, and maybe a tool and its arguments: `#server=…&tool=…&args=…`, or the same in
 * the query. Anybody can have written it, so nothing is connected to before a person has said so.
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

const NAMES = ['server', 'tool', 'args', 'log'] as const;

/** The fragment of an address, as parameters; a link to an entry has its own, and is none of these. */
function inFragment({ hash }: URL): URLSearchParams | undefined {
  const parameters = new URLSearchParams(hash.slice(1));
  return parameters.has('server') && !parameters.has('entry') ? parameters : undefined;
}

export function readLink(page: URL): LinkRequest | undefined {
  const parameters = inFragment(page) ?? page.searchParams;
  const address = parameters.get('server');
  if (address === null) return undefined;
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { url: address, problem: 'The link has no http or https URL.' };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      url: url.href,
      problem: 'The URL contains a user name or password. Remove it from the link.',
    };
  }
  const tool = parameters.get('tool');
  const args = parameters.get('args');
  return { url: url.href, ...(tool !== null && { tool }), ...(args !== null && readArguments(args)) };
}

export function withoutLink(url: URL): string {
  const clean = new URL(url);
  for (const name of NAMES) clean.searchParams.delete(name);
  if (inFragment(clean)) clean.hash = '';
  return clean.href;
}

/** In the fragment: arguments must not stand in the logs of the app's host. */
export function linkTo(page: URL, { url, tool, args }: Omit<LinkRequest, 'problem'>): string {
  const link = new URL(withoutLink(page));
  const parameters = {
    // A link is passed on to others: whoever opens it has a key of their own.
    server: withoutUrlKeys(url),
    ...(tool !== undefined && { tool }),
    ...(args !== undefined && { args }),
  };
  link.hash = new URLSearchParams(parameters).toString();
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
