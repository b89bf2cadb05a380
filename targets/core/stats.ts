/** What a target has done, counted at the server: tests compare it with what a client says it received. */
export interface StreamStats {
  /** The tool that was called, or the method. */
  readonly name: string;
  sent: number;
  settled: boolean;
  /** The client left before the end, where that means that it cancels. */
  cancelled?: true;
}

export interface SessionStats {
  readonly id: string;
  initializes: number;
  posts: number;
  /** POSTs with a request that was already received, and so was not run again. */
  repeats: number;
  gets: number;
  deletes: number;
  openStreams: number;
  ended?: string;
  /** How often each tool was started. */
  readonly calls: Record<string, number>;
  /** How often each method was asked for. */
  readonly methods: Record<string, number>;
  /** By request id, and `standalone`: how many messages were sent, delivered or not. */
  readonly streams: Record<string, StreamStats>;
}

const KEPT_ENDED_SESSIONS = 500;

/** Outlives a restart of the target, so that a tool that was run again shows. */
export class Stats {
  readonly #sessions = new Map<string, SessionStats>();

  session(id: string): SessionStats {
    const known = this.#sessions.get(id);
    if (known) return known;
    const added: SessionStats = {
      id,
      initializes: 0,
      posts: 0,
      repeats: 0,
      gets: 0,
      deletes: 0,
      openStreams: 0,
      calls: {},
      methods: {},
      streams: {},
    };
    this.#sessions.set(id, added);
    return added;
  }

  end(id: string, why: string): void {
    this.session(id).ended ??= why;
    const ended = [...this.#sessions.values()].filter((session) => session.ended !== undefined);
    for (const session of ended.slice(0, -KEPT_ENDED_SESSIONS)) this.#sessions.delete(session.id);
  }

  reset(): void {
    this.#sessions.clear();
  }

  toJSON(): { sessions: SessionStats[]; calls: Record<string, number>; initializes: number } {
    const sessions = [...this.#sessions.values()];
    const calls: Record<string, number> = {};
    for (const session of sessions) {
      for (const [tool, count] of Object.entries(session.calls)) calls[tool] = (calls[tool] ?? 0) + count;
    }
    const initializes = sessions.reduce((sum, session) => sum + session.initializes, 0);
    return { sessions, calls, initializes };
  }
}

export function countStarted(stats: SessionStats, id: string | number, method: string, tool?: string): void {
  if (method === 'initialize') stats.initializes += 1;
  stats.methods[method] = (stats.methods[method] ?? 0) + 1;
  if (tool !== undefined) stats.calls[tool] = (stats.calls[tool] ?? 0) + 1;
  stats.streams[String(id)] = { name: tool ?? method, sent: 0, settled: false };
}

export function countSent(stats: SessionStats, id: string | number | undefined, settles: boolean): void {
  const key = id === undefined ? 'standalone' : String(id);
  const stream = (stats.streams[key] ??= { name: key, sent: 0, settled: false });
  stream.sent += 1;
  if (settles) stream.settled = true;
}

export function countSettled(stats: SessionStats, id: string | number): void {
  const stream = stats.streams[String(id)];
  if (stream) stream.settled = true;
}

export function countCancelled(stats: SessionStats, id: string | number): void {
  const stream = stats.streams[String(id)];
  if (stream && !stream.settled) stream.cancelled = true;
}
