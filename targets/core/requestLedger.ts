/** The requests that a session has received: tells a new one from one that is sent again. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from './messages.ts';
import { RequestRun, type RunKind } from './requestRun.ts';

/** Requests that are remembered at most, beside running ones. A POST is repeated within seconds of its connection's end. */
const MAX_REMEMBERED = 1000;
/** How much of their answers is kept at most, where no event store has them. */
const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

export type Receipt =
  | { readonly name: 'new' | 'repeated'; readonly run: RequestRun }
  /** Another request has, or had, one of these IDs. */
  | { readonly name: 'conflict' };

export class RequestLedger {
  readonly #runs = new Map<RequestId, RequestRun>();
  #answerChars = 0;

  /** `digest` stands for the whole body. */
  receive(ids: readonly RequestId[], digest: string, kind: RunKind): Receipt {
    const known = new Set(ids.map((id) => this.#runs.get(id)));
    const [run] = known;
    if (known.size !== 1 || new Set(ids).size < ids.length) return { name: 'conflict' };
    if (run) return run.digest === digest ? { name: 'repeated', run } : { name: 'conflict' };
    const added = new RequestRun(ids, digest, kind);
    for (const id of ids) this.#runs.set(id, added);
    return { name: 'new', run: added };
  }

  /** The run of this request, which has its answer now; without one it was cancelled. */
  settle(id: RequestId, answer?: JSONRPCMessage): RequestRun | undefined {
    const run = this.#runs.get(id);
    if (!run || run.isOver) return undefined;
    this.#answerChars += run.settle(id, answer);
    this.#keepWithinLimits();
    return run;
  }

  /** The POST was refused, so its IDs are still free. */
  forget(ids: readonly RequestId[]): void {
    for (const id of ids) {
      this.#runs.get(id)?.end();
      this.#runs.delete(id);
    }
  }

  /** Ends every run, and says which were there. */
  close(): readonly RequestRun[] {
    const runs = [...this.#runs.values()];
    for (const run of runs) run.end();
    this.#runs.clear();
    return runs;
  }

  /** The oldest finished requests go first, and running ones never. */
  #keepWithinLimits(): void {
    for (const [id, run] of this.#runs) {
      if (this.#runs.size <= MAX_REMEMBERED && this.#answerChars <= MAX_ANSWER_CHARS) return;
      if (!run.isOver) continue;
      this.#answerChars -= run.dropAnswers();
      if (this.#runs.size > MAX_REMEMBERED) this.#runs.delete(id);
    }
  }
}

/** The IDs of the requests in a POST body. `initialize` isn't among them: the session begins with it. */
export function requestIdsIn(body: unknown): RequestId[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) => {
    if (!isRecord(message) || typeof message['method'] !== 'string') return [];
    const { id, method } = message;
    return method !== 'initialize' && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
}
