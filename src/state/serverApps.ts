/** What the views of MCP Apps need of one server: their documents, their facts, calls in their name. */
import { viewUriOf } from '../apps/toolView.ts';
import { asText } from '../base/asText.ts';
import { isObject, stringField } from '../base/json.ts';
import type { AppFacts } from '../log/state/appViews.ts';
import { isOpen, type Call } from '../log/state/call.ts';
import type { AppBody } from '../log/entry/entry.ts';
import type { ShownServer } from './shownServer.ts';

/** A document as `resources/read` gave it. */
export interface KeptView {
  readonly sha256: string;
  readonly uri: string;
  readonly html: string;
  readonly ui: Readonly<Record<string, unknown>>;
}

const KEPT_VIEWS = 10;
const KEPT_CHARS = 10_000_000;

export class ServerApps {
  readonly #tab: ShownServer;
  /** The tab, for what is drawn. */
  readonly #track: () => ShownServer;

  constructor(tab: ShownServer, track: () => ShownServer) {
    this.#tab = tab;
    this.#track = track;
  }

  facts(callId: string): AppFacts | undefined {
    return this.#track().log.head.apps.get(callId);
  }

  /** The view of a call: as its tool has it today, or as it was shown before. */
  uriOf({ tool, id }: Pick<Call, 'tool' | 'id'>): string | undefined {
    const { lists } = this.#track();
    return viewUriOf(lists.tools.find(({ name }) => name === tool)) ?? this.facts(id)?.uri;
  }

  record(bodies: readonly AppBody[]): void {
    if (this.#tab.isImported) return;
    this.#tab.execute({ name: 'record-app', bodies }).catch(() => undefined);
  }

  /** Resolves when the call is begun, with its ID. */
  async begin(tool: string, args: object, appOf: string): Promise<string> {
    return asText(await this.#tab.execute({ name: 'call', tool, args, options: { appOf } }));
  }

  /** Resolves when the call has ended, and its result is there. */
  ended(callId: string): Promise<Call> {
    const { log } = this.#tab;
    return new Promise((resolve) => {
      const look = () => {
        const call = log.head.calls.get(callId);
        if (!call || isOpen(call)) return;
        stop();
        resolve(call);
      };
      const stop = log.appended.on(look);
      look();
    });
  }

  calls(): readonly Call[] {
    return [...this.#tab.log.head.calls.values()];
  }

  async kept(sha256: string): Promise<KeptView | undefined> {
    return (await this.#views()).find((view) => view.sha256 === sha256);
  }

  /** The newest documents stay, as many as there is room for. */
  async keep(view: KeptView): Promise<void> {
    const others = (await this.#views()).filter(({ sha256 }) => sha256 !== view.sha256);
    let chars = 0;
    const kept = [...others, view]
      .slice(-KEPT_VIEWS)
      .reverse()
      .filter(({ html }) => (chars += html.length) <= KEPT_CHARS);
    await this.#tab.saveViews(kept.reverse());
  }

  async #views(): Promise<readonly KeptView[]> {
    const stored = await this.#tab.loadViews();
    return Array.isArray(stored) ? stored.filter(isKeptView) : [];
  }
}

function isKeptView(value: unknown): value is KeptView {
  return (
    isObject(value) &&
    ['sha256', 'uri', 'html'].every((name) => stringField(value, name) !== undefined) &&
    isObject(value['ui'])
  );
}
