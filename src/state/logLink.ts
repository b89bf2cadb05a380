/** A link to the app that names a log on the web: `?log=…`. Anybody can have written it, so nothing is fetched before the user agrees. */

export interface LogLink {
  readonly url: string;
  /** Where the log comes from. */
  readonly host: string;
  /** Why the link can't be used. */
  readonly problem?: string;
}

/** Without a scheme, the log is beside the page. */
export function readLogLink(page: URL): LogLink | undefined {
  const address = page.searchParams.get('log');
  if (address === null) return undefined;
  const url = URL.parse(address, page);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { url: address, host: '', problem: 'It isn’t an http or https URL.' };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      url: url.href,
      host: url.host,
      problem: 'It contains a user name or a password. Links must not have any.',
    };
  }
  return { url: url.href, host: url.host };
}
