/** The pages of docs/, as the app's Help. Each is a file of the site, so the service worker keeps it for offline use. */

/** The table of public servers is as large as all other pages together. */
const LOADERS = import.meta.glob<string>(['../../../docs/*.md', '!../../../docs/public-servers.md'], {
  query: '?raw',
  import: 'default',
});

/** The list of all pages. */
export const FIRST_PAGE = 'README.md';

export interface HelpPlace {
  readonly page: string;
  /** Of a heading. */
  readonly slug?: string;
}

export function loadHelpPage(page: string): Promise<string> {
  const load = LOADERS[`../../../docs/${page}`];
  return load ? load() : Promise.reject(new Error(`Help has no page ${page}.`));
}

/** Where a link of a page leads to within the Help. Undefined: to the web, or to a file that isn't part of it. */
export function helpPlace(href: string, from: string): HelpPlace | undefined {
  const found = /^([\w-]+\.md)?(?:#([\w-]+))?$/.exec(href);
  if (!found || href === '') return undefined;
  const [, page = from, slug] = found;
  if (!(`../../../docs/${page}` in LOADERS)) return undefined;
  return { page, ...(slug !== undefined && { slug }) };
}
