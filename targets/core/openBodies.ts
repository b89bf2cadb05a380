/** The response streams that are open now: counted for the reaper and the tests, and torn on demand. */

/** The reason a torn stream fails with; a host turns it into a TCP reset. */
export class StreamDropped extends Error {
  override readonly name = 'StreamDropped';
}

export type StreamEnd = 'ended' | 'left' | 'dropped';

export class OpenBodies {
  readonly #drops = new Set<() => void>();

  get count(): number {
    return this.#drops.size;
  }

  /** The same response; `onEnd` is called once, whoever ends it. */
  track(response: Response, onEnd: (how: StreamEnd) => void): Response {
    if (!response.body) return response;
    const reader = response.body.getReader();
    let finish: (how: StreamEnd) => boolean = () => false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const drop = () => {
          if (!finish('dropped')) return;
          controller.error(new StreamDropped('The target dropped this stream on purpose'));
          void reader.cancel();
        };
        this.#drops.add(drop);
        finish = (how) => {
          const isOpen = this.#drops.delete(drop);
          if (isOpen) onEnd(how);
          return isOpen;
        };
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        if (finish('ended')) controller.close();
      },
      async cancel(reason) {
        finish('left');
        await reader.cancel(reason);
      },
    });
    return new Response(body, response);
  }

  dropAll(): void {
    for (const drop of [...this.#drops]) drop();
  }
}
