/**
 * Notes which server a start is about to draw, and takes the note back when it was drawn. A note that is found at a
 * start is from one that failed, so that server isn't selected again until the user asks for it.
 */
import type { KeptText } from './storage/keptText.ts';

interface LocksLike {
  request(name: string, callback: () => Promise<void>): Promise<unknown>;
  query(): Promise<{ readonly held?: readonly { readonly name?: string | undefined }[] }>;
}

const NOTE = 'reprise.starting/';
const LOCK = 'reprise.starting/';

export class StartNotes {
  readonly #kept: KeptText;
  readonly #locks: LocksLike | undefined;
  readonly #page: string;
  readonly #failed = new Set<string>();
  #starting: { readonly server: string; end: () => void } | undefined;

  /** @param kept shared by all tabs, because a new tab selects the server that another tab failed with */
  constructor(kept: KeptText, locks: LocksLike | undefined, page: string = crypto.randomUUID()) {
    this.#kept = kept;
    this.#locks = locks;
    this.#page = page;
  }

  /** Reads the notes of earlier starts. Another tab that is starting right now has not failed: it holds its lock. */
  async read(): Promise<void> {
    const held = new Set((await this.#locks?.query())?.held?.map(({ name }) => name));
    for (const key of this.#kept.keys()) {
      if (!key.startsWith(NOTE) || held.has(LOCK + (this.#kept.read(key) ?? ''))) continue;
      this.#failed.add(key.slice(NOTE.length));
    }
  }

  hasFailed(server: string): boolean {
    return this.#failed.has(server);
  }

  /** The user wants this server, or it was removed. */
  forgive(server: string): void {
    this.#failed.delete(server);
    this.#kept.write(NOTE + server, undefined);
  }

  begin(server: string): void {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#starting = { server, end };
    this.#kept.write(NOTE + server, this.#page);
    // Left while it starts, and back, it has lost the lock: then it is loaded again.
    this.#locks?.request(LOCK + this.#page, () => ended).catch(() => undefined);
  }

  /** The server was drawn, unless that has failed already. */
  succeed(): void {
    if (this.#starting) this.#kept.write(NOTE + this.#starting.server, undefined);
    this.fail();
  }

  /** A page that is left while it starts hasn't failed: people reload twice. One that hangs isn't told that it is left. */
  leave(): void {
    this.succeed();
  }

  /** The note stays for the next start. */
  fail(): void {
    this.#starting?.end();
    this.#starting = undefined;
  }
}
