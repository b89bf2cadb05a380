/**
 * The fetch of a refresh. Where the site has a worker, that one sends it: a refresh token that rotates works once, and an
 * answer that died with its page would cost a login. Without a worker the page sends it itself.
 */
import { numberField } from '../base/json.ts';
import { BodyTooLarge } from '../wire/readBody.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import { CARRY, nextMessage, readAnswer, READY, type RelayedRequest } from './relayedRequest.ts';

/** The site's worker, where there is one. */
export type FindWorker = () => Promise<Pick<ServiceWorker, 'postMessage'> | undefined>;

export interface RelayFetchOptions {
  readonly fetch: Fetch;
  readonly findWorker: FindWorker;
  readonly place: string;
}

/** A worker of an older version, or of somebody else, says nothing. */
const READY_MS = 2000;
const ANSWER_MS = 60_000;

export function createRelayFetch({ fetch, findWorker, place }: RelayFetchOptions): Fetch {
  return async (url, init = {}) => {
    const port = await openPort(findWorker);
    if (!port) return fetch(url, init);
    const answering = nextMessage(port, ANSWER_MS);
    port.postMessage({
      place,
      url: String(url),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body instanceof URLSearchParams ? init.body.toString() : '',
    } satisfies RelayedRequest);
    const reply = await answering;
    port.close();
    const limitBytes = numberField(reply, 'limitBytes');
    if (limitBytes !== undefined) throw new BodyTooLarge(limitBytes);
    const answer = readAnswer(reply);
    if (!answer) throw new TypeError('Failed to fetch');
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': answer.type } });
  };
}

async function openPort(findWorker: FindWorker): Promise<MessagePort | undefined> {
  const worker = await findWorker().catch(() => undefined);
  if (!worker) return undefined;
  const { port1, port2 } = new MessageChannel();
  const answering = nextMessage(port1, READY_MS);
  worker.postMessage(CARRY, [port2]);
  if ((await answering) === READY) return port1;
  port1.close();
  return undefined;
}
