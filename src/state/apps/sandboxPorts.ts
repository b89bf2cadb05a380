/**
 * Which server each port of a sandbox was given to, kept for this browser. A port stays with its server, also when that is
 * removed: the next one would find its storage there.
 */
import { isObject } from '../../base/json.ts';
import type { KeptText } from '../storage/keptText.ts';

const KEY = 'reprise.sandboxPorts';

/** As `navigator.locks`: two tabs must not give one port to two servers. */
export interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export class SandboxPorts {
  readonly #kept: KeptText;
  readonly #locks: Locks;

  constructor(kept: KeptText, locks: Locks) {
    this.#kept = kept;
    this.#locks = locks;
  }

  /**
   * @param ask for a port, which must not be one of those that other servers have
   * @returns it, unless it's one of them
   */
  portFor(
    server: string,
    ask: (taken: readonly number[]) => Promise<number | undefined>,
  ): Promise<number | undefined> {
    return this.#locks.request(KEY, async () => {
      const owners = this.#owners();
      const taken = [...owners].filter(([, owner]) => owner !== server).map(([port]) => port);
      const port = await ask(taken);
      if (port === undefined || taken.includes(port)) return undefined;
      if (!owners.has(port))
        this.#kept.write(KEY, JSON.stringify(Object.fromEntries([...owners, [port, server]])));
      return port;
    });
  }

  #owners(): ReadonlyMap<number, string> {
    const stored = parsed(this.#kept.read(KEY) ?? '');
    if (!isObject(stored)) return new Map();
    return new Map(
      Object.entries(stored).flatMap(([port, owner]) =>
        typeof owner === 'string' ? [[Number(port), owner] as const] : [],
      ),
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
