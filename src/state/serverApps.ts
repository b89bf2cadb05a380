/** What the page knows of the views of MCP Apps of one server. What opens and serves them is loaded with the first. */
import { viewUriOf } from '../apps/toolView.ts';
import type { AppFacts } from '../log/state/appViews.ts';
import type { Call } from '../log/state/call.ts';
import type { ShownServer } from './shownServer.ts';

export class ServerApps {
  /** For the parts that are loaded with a view. */
  readonly tab: ShownServer;
  /** The tab, for what is drawn. */
  readonly #track: () => ShownServer;

  constructor(tab: ShownServer, track: () => ShownServer) {
    this.tab = tab;
    this.#track = track;
  }

  facts(callId: string): AppFacts | undefined {
    return this.#track().log.state.apps.get(callId);
  }

  /** The view of a call: as its tool has it today, or as it was shown before. */
  uriOf({ tool, id }: Pick<Call, 'tool' | 'id'>): string | undefined {
    const { lists } = this.#track();
    return viewUriOf(lists.tools.find(({ name }) => name === tool)) ?? this.facts(id)?.uri;
  }
}
