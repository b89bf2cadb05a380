/** The app on a port, and the browsers that a run needs: shared by all its targets, closed once. */
import { BrowserHost, type BrowserOptions } from './browserHost.ts';
import { openSite, openSiteAt, type Site } from './site.ts';

export class Stage {
  readonly site: Site;
  readonly #options: Omit<BrowserOptions, 'withoutCors'>;
  readonly #browsers = new Map<boolean, Promise<BrowserHost>>();
  #closing: Promise<void> | undefined;

  static async open(
    { port, ...options }: Omit<BrowserOptions, 'withoutCors'> & { readonly port?: number },
    say?: (text: string) => void,
  ): Promise<Stage> {
    const site = await (port === undefined ? openSite(say ? { say } : {}) : openSiteAt(port, say));
    return new Stage(site, options);
  }

  private constructor(site: Site, options: Omit<BrowserOptions, 'withoutCors'>) {
    this.site = site;
    this.#options = options;
  }

  /** One that enforces CORS, or one that does not. */
  browser({ withoutCors }: { withoutCors: boolean }): Promise<BrowserHost> {
    const known = this.#browsers.get(withoutCors);
    if (known) return known;
    const started = BrowserHost.start({ ...this.#options, withoutCors });
    this.#browsers.set(withoutCors, started);
    return started;
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const started = await Promise.allSettled(this.#browsers.values());
    await Promise.all(
      started.map((one) => (one.status === 'fulfilled' ? one.value.close() : Promise.resolve())),
    );
    await this.site.close();
  }
}
