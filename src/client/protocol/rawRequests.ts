/** Requests past the peer: about tasks, and with a response that may come to another page. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/format.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { duration } from '../../base/format.ts';
import { RequestRefused } from './requestRefused.ts';

export interface RawRequest {
  readonly id: string;
  /** Without one, it waits as long as the stream is open. */
  readonly timeoutMs?: number;
  /** Sends the request; calls `onEnd` when its stream is over. `left`: another connection takes the stream up. */
  readonly send: (onEnd: (how?: 'lost' | 'left') => void) => Promise<void>;
}

export class RawRequests {
  readonly #waiting = new Map<string | number, (answer: JsonObject) => void>();

  awaits(id: string | number): boolean {
    return this.#waiting.has(id);
  }

  /** @returns whether this was an answer that somebody here waited for */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    const resolve = this.#waiting.get(message.id);
    resolve?.({ ...message });
    return resolve !== undefined;
  }

  /** Resolves with the answer, a result or an error; rejects when there is none. */
  async ask({ id, timeoutMs, send }: RawRequest): Promise<JsonObject> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.#waiting.set(id, resolve);
        if (timeoutMs !== undefined) {
          timer = setTimeout(
            () => reject(new NoAnswer(`no response within ${duration(timeoutMs)}`)),
            timeoutMs,
          );
        }
        const onEnd = (how?: 'lost' | 'left') =>
          reject(new NoAnswer('the stream closed without a response', how === 'left'));
        send(onEnd).catch((error: unknown) => {
          const answer = answerInside(error);
          if (answer) resolve(answer);
          else reject(error instanceof Error ? error : new Error(errorMessage(error)));
        });
      });
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }
}

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** The stream can still be resumed. */
  readonly isResumable: boolean;

  constructor(message: string, isResumable = false) {
    super(message);
    this.isResumable = isResumable;
  }
}

/** MCP 2026-07-28 puts JSON-RPC errors into bodies of error statuses. */
function answerInside(error: unknown): JsonObject | undefined {
  if (!(error instanceof RequestRefused)) return undefined;
  try {
    const message: unknown = JSON.parse(error.body);
    return isObject(message) && isObject(message['error']) ? message : undefined;
  } catch {
    return undefined;
  }
}
