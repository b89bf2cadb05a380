/** The open requests of a session, and which stream a message of the server belongs to. */
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isJsonRecord, type JsonRecord } from './upstream.ts';

/** The requests of one POST share a stream, which ends with the last response. */
interface OpenPost {
  readonly streamId: string;
  readonly open: Set<RequestId>;
}

/** `last`: the stream of a POST ends with this message. */
export interface Destination {
  readonly streamId: string;
  readonly isLast: boolean;
}

export class OpenCalls {
  readonly #posts = new Map<RequestId, OpenPost>();
  readonly #tokens = new Map<RequestId, RequestId>();

  get ids(): readonly RequestId[] {
    return [...this.#posts.keys()];
  }

  add(requests: readonly JsonRecord[], streamId: string): void {
    const ids = requests.flatMap((request) => requestIdOf(request) ?? []);
    const post: OpenPost = { streamId, open: new Set(ids) };
    for (const request of requests) {
      const id = requestIdOf(request);
      if (id === undefined) continue;
      this.#posts.set(id, post);
      const token = progressTokenOf(request);
      if (token !== undefined) this.#tokens.set(token, id);
    }
  }

  /** The response to a request has come, or never will; `undefined` if the request isn't open. */
  settle(id: RequestId): Destination | undefined {
    const post = this.#posts.get(id);
    if (!post) return undefined;
    this.#posts.delete(id);
    post.open.delete(id);
    for (const [token, of] of this.#tokens) if (of === id) this.#tokens.delete(token);
    return { streamId: post.streamId, isLast: post.open.size === 0 };
  }

  /**
   * The stream of a notification or a request of the server. Progress belongs to its call by its token (2025-11-25,
   * "Progress"). What can't be told has no stream here, and goes to the standalone one.
   */
  streamOf(message: JsonRecord, related: RequestId | undefined): string | undefined {
    const params = isJsonRecord(message['params']) ? message['params'] : {};
    const token = message['method'] === 'notifications/progress' ? params['progressToken'] : undefined;
    const id = (isRequestId(token) ? this.#tokens.get(token) : undefined) ?? related;
    return id === undefined ? undefined : this.#posts.get(id)?.streamId;
  }
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

/** The ID of a message that is a request. */
export function requestIdOf(message: JsonRecord): RequestId | undefined {
  const { id, method } = message;
  return typeof method === 'string' && isRequestId(id) ? id : undefined;
}

export function isResponseMessage(message: JsonRecord): boolean {
  return !('method' in message) && ('result' in message || 'error' in message);
}

function progressTokenOf({ params }: JsonRecord): RequestId | undefined {
  const meta = isJsonRecord(params) ? params['_meta'] : undefined;
  const token = isJsonRecord(meta) ? meta['progressToken'] : undefined;
  return isRequestId(token) ? token : undefined;
}
