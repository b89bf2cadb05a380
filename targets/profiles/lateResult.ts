/**
 * Gives no event IDs, and sends the result of a call whose stream was lost on the standalone stream, when there is one
 * (2025-11-25, "Listening for Messages from the Server", 4: a server MUST NOT send a response there unless it resumes a
 * stream; some do).
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Session } from '../core/session.ts';
import { isEventStream, messageFrame } from '../core/sse.ts';
import type { Profile } from './profile.ts';

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** The results that one session has still to send. */
class Outbox {
  #waiting: Uint8Array[] = [];
  #standalone: Controller | undefined;

  add(answer: JSONRPCMessage): void {
    this.#waiting.push(messageFrame(undefined, JSON.stringify(answer)));
    this.#send();
  }

  /** The same standalone stream, and the results among its messages. */
  sendOn(response: Response): Response {
    const reader = response.body?.getReader();
    const leave = () => void (this.#standalone = undefined);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#standalone = controller;
        this.#send();
      },
      async pull(controller) {
        try {
          const { done, value } = (await reader?.read()) ?? { done: true };
          if (!done) return controller.enqueue(value);
          leave();
          controller.close();
        } catch (error) {
          leave();
          throw error;
        }
      },
      cancel: (reason) => {
        leave();
        return reader?.cancel(reason);
      },
    });
    return new Response(body, response);
  }

  #send(): void {
    if (!this.#standalone) return;
    for (const frame of this.#waiting.splice(0)) this.#standalone.enqueue(frame);
  }
}

export const lateResult: Profile = {
  name: 'late-result',
  summary: 'sends the result of a call whose stream was lost on the standalone stream',
  options: () => {
    const outboxes = new WeakMap<Session, Outbox>();
    const outboxOf = (session: Session) => {
      const outbox = outboxes.get(session) ?? new Outbox();
      outboxes.set(session, outbox);
      return outbox;
    };
    return {
      createEventStore: null,
      onLostAnswer: (session, answer) => outboxOf(session).add(answer),
      around: async (request, next, sessions) => {
        const session = sessions.find(request);
        const response = await next(request);
        if (request.method !== 'GET' || !session || !isEventStream(response)) return response;
        return outboxOf(session).sendOn(response);
      },
    };
  },
};
