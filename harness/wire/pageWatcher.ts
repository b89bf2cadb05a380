/** Which tab and which page load has sent a request: told by the browser, and matched with what came over the wire. */
import type { BrowserContext, Page, Request } from '@playwright/test';
import type { PageLoad, WireExchange } from './model.ts';
import type { Recorder } from './recorder.ts';

interface Seen {
  readonly key: string;
  readonly page: PageLoad;
}

export class PageWatcher {
  readonly #recorder: Recorder;
  readonly #loads = new Map<Page, PageLoad>();
  readonly #navigating = new Set<Page>();
  readonly #requests: Seen[] = [];
  readonly #matched = new WeakSet<WireExchange>();
  #tabs = 0;
  #lines = 0;
  #last: PageLoad | undefined;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  watch(context: BrowserContext): void {
    for (const page of context.pages()) this.#add(page);
    context.on('page', (page) => this.#add(page));
  }

  /** A new tab takes the place of an old one. */
  succeed(page: Page, old: Page): void {
    const before = this.#loads.get(old);
    const now = this.#loads.get(page);
    if (!before || !now) return;
    this.#loads.set(page, { ...now, line: before.line, load: before.load });
  }

  /** Pages that are open. */
  get pages(): readonly Page[] {
    return [...this.#loads.keys()].filter((page) => !page.isClosed());
  }

  of(page: Page): PageLoad | undefined {
    return this.#loads.get(page);
  }

  /** Gives every exchange its page load, as far as it is known by now. */
  attribute(): void {
    for (const exchange of this.#recorder.exchanges) {
      if (this.#matched.has(exchange) || exchange.kind === 'preflight') continue;
      const key = keyOf(exchange.method, exchange.url, textOf(exchange));
      const at = this.#requests.findIndex((one) => one.key === key);
      const [seen] = at < 0 ? [] : this.#requests.splice(at, 1);
      if (seen) {
        exchange.page = seen.page;
        this.#matched.add(exchange);
      } else exchange.page ??= exchange.onLeave ? this.#beforeLast() : this.#last;
    }
  }

  #beforeLast(): PageLoad | undefined {
    return this.#recorder.pages.findLast(
      ({ line, load }) => line === this.#last?.line && load === this.#last.load - 1,
    );
  }

  #add(page: Page): void {
    if (this.#loads.has(page)) return;
    this.#tabs += 1;
    this.#lines += 1;
    this.#loads.set(page, { tab: this.#tabs, load: 0, line: this.#lines, at: this.#recorder.now() });
    page.on('request', (request) => this.#hear(page, request));
    page.on('framenavigated', (frame) => {
      // Without a request, it is a navigation within the document.
      if (frame === page.mainFrame() && this.#navigating.delete(page)) this.#load(page);
    });
  }

  #load(page: Page): void {
    // What came before was sent by the page before.
    this.attribute();
    const before = this.#loads.get(page);
    if (!before) return;
    const now = { ...before, load: before.load + 1, at: this.#recorder.now() };
    this.#loads.set(page, now);
    this.#last = now;
    this.#recorder.pages.push(now);
  }

  #hear(page: Page, request: Request): void {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      return void this.#navigating.add(page);
    const load = this.#loads.get(page);
    if (!load || !isFetch(request)) return;
    this.#requests.push({
      key: keyOf(request.method(), request.url(), request.postData() ?? ''),
      page: load,
    });
  }
}

const isFetch = (request: Request): boolean =>
  ['fetch', 'xhr', 'eventsource', 'other', 'ping'].includes(request.resourceType());

/** The body as it was parsed, because the two may differ in how they are written. */
const textOf = ({ message }: WireExchange): string => (message ? JSON.stringify(message) : '');

function keyOf(method: string, url: string, body: string): string {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body));
  } catch {
    // Not JSON: the text itself is the key.
  }
  return `${method} ${url.replace(/#.*$/, '')} ${text}`;
}
