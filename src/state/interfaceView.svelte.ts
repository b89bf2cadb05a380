/** What a server offers now, what it offered before, and the one of these that is compared with. */
import {
  type AuthorNote,
  type DeprecatedPart,
  diffInterfaces,
  type InterfaceChange,
  type InterfaceHistory,
  type InterfaceSnapshot,
  offeredBy,
  parseHistory,
  readSnapshotFile,
  usageNotes,
} from '../client/inspector/interface.ts';
import type { Entry } from '../log/entry/entry.ts';
import { cancelledByReload, partsIn, partsOf } from './deprecatedParts.ts';
import type { ServerView } from './serverView.svelte.ts';

/** A snapshot to compare with. */
export interface Base {
  readonly id: string;
  readonly snapshot: InterfaceSnapshot;
  readonly from:
    | { readonly name: 'history'; readonly at: number }
    | { readonly name: 'file'; readonly file: string };
}

export class InterfaceView {
  readonly #server: ServerView;
  #history = $state.raw<InterfaceHistory>([]);
  #file = $state.raw<Base>();
  #picked = $state<string>();
  #problem = $state<string>();
  #seen = $state.raw<ReadonlySet<DeprecatedPart>>(new Set());
  readonly #stopListening: () => void;

  constructor(server: ServerView) {
    this.#server = server;
    this.#heed(server.log.tail);
    this.#stopListening = server.log.onAppended(({ samples }) => this.#heed(samples));
  }

  /** What the author should know of what was seen in use. */
  get usageNotes(): readonly AuthorNote[] {
    const { session, calls } = this.#server;
    return usageNotes({
      deprecated: partsOf(session, this.#seen),
      cancelledByReload: cancelledByReload(calls),
    });
  }

  /** Nothing, before the server was asked. */
  get current(): InterfaceSnapshot | undefined {
    const { lists, session } = this.#server;
    return session && offeredBy(lists, session);
  }

  /** The file first, then the newest: what the server offers now is left out. */
  get bases(): readonly Base[] {
    const { current } = this;
    const older = this.#history
      .filter(({ snapshot }, i, all) => i < all.length - 1 || (current && differs(snapshot, current)))
      .map(({ at, snapshot }): Base => ({ id: String(at), snapshot, from: { name: 'history', at } }));
    return [...(this.#file ? [this.#file] : []), ...older.reverse()];
  }

  get base(): Base | undefined {
    return this.bases.find(({ id }) => id === this.#picked) ?? this.bases[0];
  }

  get changes(): readonly InterfaceChange[] {
    const { base, current } = this;
    return base && current ? diffInterfaces(base.snapshot, current) : [];
  }

  /** Since when the interface is as it is now. */
  get since(): number | undefined {
    return this.#history.at(-1)?.at;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  pick(id: string): void {
    this.#picked = id;
  }

  async load(): Promise<void> {
    this.#history = parseHistory(await this.#server.interfaces());
  }

  close(): void {
    this.#stopListening();
  }

  #heed(entries: readonly Entry[]): void {
    const found = [...partsIn(entries)].filter((part) => !this.#seen.has(part));
    if (found.length > 0) this.#seen = new Set([...this.#seen, ...found]);
  }

  async readFile(file: File): Promise<void> {
    const read = readSnapshotFile(await file.text());
    this.#problem = read.ok ? undefined : read.error;
    if (!read.ok) return;
    this.#file = { id: 'file', snapshot: read.value, from: { name: 'file', file: file.name } };
    this.#picked = 'file';
  }
}

const differs = (a: InterfaceSnapshot, b: InterfaceSnapshot): boolean => diffInterfaces(a, b).length > 0;
