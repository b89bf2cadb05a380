/** The app and the proxy that `inspector` needs, started when they are needed: tests of other pages need neither. */
import { startBlipProxy, type BlipProxy } from '../page/blipProxy.ts';
import { openSite, type Site } from '../page/site.ts';

export class LazyStage {
  #site: Promise<Site> | undefined;
  #network: Promise<BlipProxy> | undefined;

  site(): Promise<Site> {
    this.#site ??= openSite();
    return this.#site;
  }

  network(): Promise<BlipProxy> {
    this.#network ??= this.site().then(({ url }) => startBlipProxy(url));
    return this.#network;
  }

  async close(): Promise<void> {
    await (await this.#network)?.close();
    await (await this.#site)?.close();
  }
}
