/**
 * Runs each request of a session once. Browsers send a POST again when its connection ends before the head of the
 * response, and a tool must not run twice for that. A POST with a known ID and the same body joins the run: it gets its
 * stream from the first event on, or its answer where no event store has the events. With another body it's refused,
 * because IDs are used once in a session (2025-11-25, "Base Protocol", "Requests").
 */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { followStream } from './followStream.ts';
import { PRIMING_SINCE, rpcError } from './messages.ts';
import { RequestLedger, requestIdsIn } from './requestLedger.ts';
import type { RequestRun, StoredPlace } from './requestRun.ts';
import { frameId, isEventStream, messageFrame, sseHeaders, takeFirstChunk } from './sse.ts';
import type { StreamLedger } from './streamLedger.ts';

export interface RunOnceOptions {
  readonly sessionId: string;
  readonly streams: StreamLedger | undefined;
  readonly jsonResponses: boolean;
  readonly retryMs: number | undefined;
  readonly onRepeat: () => void;
}

export class RunOnce {
  readonly #o: RunOnceOptions;
  readonly #requests = new RequestLedger();

  constructor(options: RunOnceOptions) {
    this.#o = options;
  }

  /** `run` hands the POST to the server. */
  async post(request: Request, body: unknown, run: () => Promise<Response>): Promise<Response> {
    const ids = requestIdsIn(body);
    if (ids.length === 0) return run();
    const digest = await digestOf(body);
    const receipt = this.#requests.receive(ids, digest, this.#isStored(request) ? 'stored' : 'kept');
    switch (receipt.name) {
      case 'new':
        return this.#begin(ids, receipt.run, run);
      case 'repeated':
        this.#o.onRepeat();
        return (await this.#join(receipt.run, Array.isArray(body))) ?? refuse(ids, 'has no stored response');
      case 'conflict':
        return refuse(ids, 'was already used in this session for another request');
    }
  }

  /** A request has its answer; without one it was cancelled. */
  settle(id: RequestId, answer?: JSONRPCMessage): void {
    this.#wake(this.#requests.settle(id, answer));
  }

  close(): void {
    for (const run of this.#requests.close()) this.#wake(run);
  }

  /** Those who follow a stream look at it again. */
  #wake(run: RequestRun | undefined): void {
    if (run?.isOver && run.place) this.#o.streams?.wake(run.place.streamId);
  }

  /** Whether the response will begin with a priming event, which names the place of the stream in the event store. */
  #isStored({ headers }: Request): boolean {
    const { streams, jsonResponses } = this.#o;
    const isPrimed = (headers.get('mcp-protocol-version') ?? '') >= PRIMING_SINCE;
    return isPrimed && !jsonResponses && streams?.store.getStreamIdForEventId !== undefined;
  }

  async #begin(ids: RequestId[], run: RequestRun, handle: () => Promise<Response>): Promise<Response> {
    try {
      const response = await handle();
      if (!response.ok) this.#requests.forget(ids);
      if (!isEventStream(response) || run.kind === 'kept') {
        run.open(undefined);
        return response;
      }
      const { first, whole } = await takeFirstChunk(response);
      run.open(await this.#placeOf(frameId(first)));
      return whole;
    } catch (error) {
      this.#requests.forget(ids);
      run.open(undefined);
      throw error;
    }
  }

  async #placeOf(start: string | undefined): Promise<StoredPlace | undefined> {
    const streamId = start === undefined ? undefined : await this.#o.streams?.streamOf(start);
    return start === undefined || streamId === undefined ? undefined : { streamId, start };
  }

  /** What a repeated POST gets; `undefined` if nothing is left of the run. */
  async #join(run: RequestRun, isBatch: boolean): Promise<Response | undefined> {
    const { streams, sessionId, retryMs, jsonResponses } = this.#o;
    if (jsonResponses) {
      await run.over;
      if (run.answers.length === 0) return undefined;
      const json = isBatch ? `[${run.answers.join()}]` : run.answers[0];
      return new Response(json, {
        headers: { 'content-type': 'application/json', 'mcp-session-id': sessionId },
      });
    }
    await run.opened;
    const headers = sseHeaders(sessionId);
    if (run.kind === 'kept') {
      return run.isOver && run.answers.length === 0
        ? undefined
        : new Response(answerStream(run), { headers });
    }
    const place = await this.#placeOf(run.place?.start);
    return streams && place && new Response(followStream(streams, run, place, retryMs), { headers });
  }
}

function answerStream(run: RequestRun): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await run.over;
      for (const json of run.answers) controller.enqueue(messageFrame(undefined, json));
      controller.close();
    },
  });
}

function refuse(ids: readonly RequestId[], why: string): Response {
  return rpcError(400, -32600, `Invalid Request: request ID ${JSON.stringify(ids[0])} ${why}`);
}

async function digestOf(body: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).join();
}
