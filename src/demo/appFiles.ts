/** What the build knows of the site. */
export interface Site {
  readonly version: string;
  /** Names, relative to the worker's scope. */
  readonly files: readonly string[];
}

/** The files of one version of the site, kept so that it opens without a network. */
export class AppFiles {
  readonly #scope: string;
  readonly #addresses: ReadonlySet<string>;
  readonly #cacheName: string;

  constructor({ version, files }: Site, scope: string) {
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
}

/** A link or the answer of a login opens the same page. */
function fileOf(address: string): string {
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href;
}
