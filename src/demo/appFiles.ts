/** What the build knows of the site. */
export interface Site {
  readonly version: string;
  /** Names, relative to the worker's scope. */
  readonly files: readonly string[];
  /** Pages of older versions must update, because this one or one before it fixes a security problem. */
  readonly requiredBelow?: string;
}

/** In every version of the page, and in no other project's. */
const MARK = '<title>Reprise</title>';
/** A port of this machine belongs to whichever program runs on it. Other hosts keep their site. */
const LOCAL = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The files of one version of the site, kept so that it opens without a network. */
export class AppFiles {
  readonly requiredBelow: string | undefined;
  readonly #scope: string;
  readonly #addresses: ReadonlySet<string>;
  readonly #cacheName: string;

  constructor({ version, files, requiredBelow }: Site, scope: string) {
    this.requiredBelow = requiredBelow;
    this.#scope = scope;
    this.#addresses = new Set(files.map((name) => new URL(name, scope).href));
    this.#cacheName = `reprise-site ${scope} ${version}`;
  }

  async keep(caches: CacheStorage): Promise<void> {
    const cache = await caches.open(this.#cacheName);
    // Past the browser's own cache: the page that names the other files is asked for by the same address for ever.
    await cache.addAll([...this.#addresses].map((address) => new Request(address, { cache: 'no-cache' })));
  }

  /** Caches are shared by the whole origin; only those of this scope are ours. */
  async dropOthers(caches: CacheStorage): Promise<void> {
    const ours = `reprise-site ${this.#scope} `;
    const old = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== this.#cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
  }

  has({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
    return method === 'GET' && this.#addresses.has(fileOf(url));
  }

  async answer(request: Request, caches: CacheStorage): Promise<Response> {
    const cache = await caches.open(this.#cacheName);
    // Without the request's own headers: a kept file does not vary.
    return (await cache.match(fileOf(request.url), { ignoreVary: true })) ?? fetch(request);
  }

  /** The page of another project that is served in the place of this site, if there is one. */
  async foreignPage(request: Request): Promise<Response | undefined> {
    if (request.mode !== 'navigate' || !LOCAL.test(new URL(request.url).hostname)) return undefined;
    const response = await fetch(request).catch(() => undefined);
    return response && (await isForeign(response)) ? response : undefined;
  }

  async drop(caches: CacheStorage): Promise<void> {
    await caches.delete(this.#cacheName);
  }
}

/** An error says nothing about whose host it is. A redirect does: Reprise's own page is never one. */
async function isForeign(response: Response): Promise<boolean> {
  if (response.type === 'opaqueredirect') return true;
  // A picture of the site can be opened by itself; only a page says whose it is.
  const isPage = response.headers.get('content-type')?.includes('text/html') === true;
  return response.ok && isPage && !(await response.clone().text()).includes(MARK);
}

/** A link or the answer of a login opens the same page. */
function fileOf(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href;
}
