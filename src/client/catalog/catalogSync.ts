/** The lists of one server, read anew when it says that they have changed. */
import type { Tool } from '@modelcontextprotocol/client';
import type { Entry } from '../../log/entry/entry.ts';
import type { ServerLog } from '../../recorder/serverLog.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import { fetchLists, fetchTasks, listChanges, type Catalog, type Offering } from './catalog.ts';

export interface ServerListsOptions {
  readonly lists: Catalog;
  readonly log: ServerLog;
  readonly link: { readonly connection: Offering | undefined };
  readonly saveLists: (lists: Catalog) => Promise<void>;
  /** All lists were read. */
  readonly keepInterface: (lists: Catalog) => Promise<void>;
}

export class CatalogSync {
  readonly #options: ServerListsOptions;
  #current: Catalog;
  #refreshing: Promise<void> | undefined;

  constructor(options: ServerListsOptions) {
    this.#options = options;
    this.#current = options.lists;
  }

  get current(): Catalog {
    return this.#current;
  }

  toolOf(name: string): Tool | undefined {
    return this.#current.tools.find((tool) => tool.name === name);
  }

  /** May a call of this tool be made twice without harm? */
  isRepeatable(name: string): boolean {
    const tool = this.toolOf(name);
    return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
  }

  async refresh(): Promise<void> {
    const { connection } = this.#options.link;
    if (!connection) return;
    this.#refreshing ??= fetchLists(connection, (name, { items }) => {
      // What is there need not wait for the slowest of four. An empty list is no news before all are read.
      if (items.length > 0) void this.#keep({ ...this.#current, [name]: items });
    })
      .then(async (lists) => {
        // Before the lists are told: whoever hears of them finds the history that they are the end of.
        if (isWhole(lists)) await this.#options.keepInterface(lists);
        await this.#keep(lists);
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  /** The tasks alone: they change without a word. */
  async refreshTasks(): Promise<void> {
    const { connection } = this.#options.link;
    const list = connection && (await fetchTasks(connection));
    if (!list) return;
    const { tasks: _, ...others } = this.#current.problems ?? {};
    const { items, problems } = list;
    await this.#keep({
      ...this.#current,
      tasks: items,
      problems: { ...others, ...(problems && { tasks: problems }) },
    });
  }

  heed(entries: readonly Entry[]): void {
    const changed = entries.some(
      (entry) => entry.kind === 'received' && entry.method?.endsWith('/list_changed') === true,
    );
    if (changed) void this.follow().catch(() => undefined);
  }

  /** They could not be read, and what was read before stays. */
  async fail(reason: Reason): Promise<void> {
    await this.#keep({ ...this.#current, problems: { ...this.#current.problems, tools: [reason] } });
  }

  /** Reads the lists again, and says what has changed. */
  async follow(): Promise<void> {
    const before = this.#current;
    // A list that is being read may be the one from before the change.
    await this.#refreshing?.catch(() => undefined);
    await this.refresh();
    const changes = listChanges(before, this.#current);
    if (changes.length === 0) return;
    this.#options.log.append({
      body: { kind: 'note', level: 'info', reason: { code: 'lists-changed', changes } },
    });
  }

  async #keep(lists: Catalog): Promise<void> {
    this.#current = lists;
    await this.#options.saveLists(lists);
  }
}

/** A list that was rejected says nothing of what the server offers. */
function isWhole({ problems = {} }: Catalog): boolean {
  return !Object.values(problems).some((reasons) => reasons.some(({ code }) => code === 'list-rejected'));
}
