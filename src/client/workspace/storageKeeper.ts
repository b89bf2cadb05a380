/** Keeps the logs of all servers together below one limit, whichever tab writes them. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { planRemovals, usageOf, type StorageUsage, type StoredShare } from '../../storage/storageLimit.ts';
import type { ServerHandle } from '../servers/serverHandle.ts';

export interface StorageKeeperOptions {
  readonly clock: Clock;
  readonly limitBytes: () => number;
  /** Of all servers, also of those that are hidden. */
  readonly servers: () => readonly StoredServer[];
  /** The server that this tab shows is in use, whatever it sends. */
  readonly selected: () => string | undefined;
}

type StoredServer = Pick<ServerHandle, 'id' | 'share' | 'free' | 'isWritten' | 'log'>;

/** A burst is stored in many batches: it is looked at once for all of them. */
const LOOKS_AFTER_MS = 500;

export class StorageKeeper {
  /** More or less is stored than at the last look. */
  readonly changed = new Emitter<undefined>();
  readonly #options: StorageKeeperOptions;
  #isAlmostFull = false;
  #isPlanned = false;
  #looking: Promise<void> | undefined;

  constructor(options: StorageKeeperOptions) {
    this.#options = options;
  }

  /** As of the last look. */
  get isAlmostFull(): boolean {
    return this.#isAlmostFull;
  }

  usage(): StorageUsage {
    return usageOf(this.#shares(), this.#options.limitBytes());
  }

  /** This tab has stored something. */
  stored(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#options.clock.after(LOOKS_AFTER_MS, () => {
      this.#isPlanned = false;
      void this.look();
    });
  }

  /** Warns at 80 % of the limit, and makes room at the limit. Resolves when that is done. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const usage = this.usage();
    if (usage.isAlmostFull && !this.#isAlmostFull) this.#warn(usage);
    this.#isAlmostFull = usage.isAlmostFull;
    this.changed.emit(undefined);
    const servers = new Map(this.#options.servers().map((tab) => [tab.id, tab]));
    const removals = planRemovals(this.#shares(), usage.limitBytes);
    // A tab that doesn't answer must not keep the others from making room. What it keeps is counted at the next look.
    await Promise.allSettled(removals.map(async ({ id, keepBytes }) => servers.get(id)?.free(keepBytes)));
    if (removals.length > 0) this.changed.emit(undefined);
  }

  /** One entry is enough: the page shows the warning beside every server. */
  #warn({ usedBytes, limitBytes }: StorageUsage): void {
    const servers = this.#options.servers().filter(({ isWritten }) => isWritten);
    const tab = servers.find(({ id }) => id === this.#options.selected()) ?? servers[0];
    const reason = { code: 'storage-almost-full', usedBytes, limitBytes } as const;
    tab?.log.append({ body: { kind: 'note', level: 'info', reason } });
  }

  #shares(): readonly StoredShare[] {
    const selected = this.#options.selected();
    return this.#options
      .servers()
      .map(({ id, share }) => (id === selected ? { ...share, usedAt: Infinity } : share));
  }
}
