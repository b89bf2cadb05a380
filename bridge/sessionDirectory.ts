/** Which bridge has a session. Its process is there, so requests go there; events are in the store that all share. */

export interface SessionDirectory {
  /** Says that the bridge at `owner` has the session, for as long as it says so again. */
  announce(sessionId: string, owner: string): Promise<void>;
  /** The origin of the bridge that has the session. */
  find(sessionId: string): Promise<string | undefined>;
  remove(sessionId: string): Promise<void>;
}

/** An owner that died can't remove its sessions, so they expire. */
export const ANNOUNCED_FOR_MS = 30_000;
const ANNOUNCE_EVERY_MS = 10_000;

/** The sessions of this bridge in the directory. */
export class AnnouncedSessions {
  readonly #directory: SessionDirectory;
  readonly #owner: () => string;
  readonly #ids = new Set<string>();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(directory: SessionDirectory, owner: () => string) {
    this.#directory = directory;
    this.#owner = owner;
    this.#timer = setInterval(() => {
      for (const id of this.#ids) void this.#announce(id);
    }, ANNOUNCE_EVERY_MS);
    this.#timer.unref();
  }

  async add(id: string): Promise<void> {
    this.#ids.add(id);
    await this.#announce(id);
  }

  async remove(id: string): Promise<void> {
    if (this.#ids.delete(id)) await this.#directory.remove(id).catch(() => undefined);
  }

  /** The other bridge that has this session. */
  async ownerOf(id: string): Promise<string | undefined> {
    const owner = await this.#directory.find(id);
    return owner === this.#owner() ? undefined : owner;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #announce(id: string): Promise<void> {
    await this.#directory.announce(id, this.#owner()).catch(() => undefined);
  }
}
