/** In the site's worker: sends a refresh for a page, and keeps the answer for the page that comes after it. */
import { stringField } from '../base/json.ts';
import type { Vault } from '../storage/vault.ts';
import { BodyTooLarge, MAX_OAUTH_BYTES, readBody } from '../wire/readBody.ts';
import type { Fetch } from '../wire/recordingFetch.ts';
import {
  nextMessage,
  readAnswer,
  readRequest,
  READY,
  type CarriedAnswer,
  type CarriedRefusal,
  type RelayedRequest,
} from './relayedRequest.ts';

const ASK_MS = 10_000;

export class RefreshRelay {
  readonly #vault: Pick<Vault, 'get' | 'put'>;
  readonly #fetch: Fetch;
  readonly #underway = new Map<string, Promise<CarriedAnswer>>();

  constructor(vault: Pick<Vault, 'get' | 'put'>, fetch: Fetch) {
    this.#vault = vault;
    this.#fetch = fetch;
  }

  /** Resolves when nothing is under way for this page any more. */
  async serve(port: MessagePort): Promise<void> {
    const asking = nextMessage(port, ASK_MS);
    port.postMessage(READY);
    const request = readRequest(await asking);
    // An empty answer tells the page that nothing was sent, so that it doesn't wait.
    port.postMessage(request && (await this.#once(request).catch(whyNot)));
    port.close();
  }

  /** The same refresh asked for again, by the page that came after a reload, is not sent again. */
  async #once(request: RelayedRequest): Promise<CarriedAnswer> {
    const id = await digest(`${request.url} ${request.body}`);
    const answering = this.#underway.get(id) ?? this.#answer(id, request);
    this.#underway.set(id, answering);
    return answering.finally(() => this.#underway.delete(id));
  }

  async #answer(id: string, { place, url, headers, body }: RelayedRequest): Promise<CarriedAnswer> {
    // Where nothing can be kept, a refresh is still worth sending.
    const kept = await this.#vault.get(place).catch(() => undefined);
    const old = stringField(kept, 'id') === id ? readAnswer(kept) : undefined;
    if (old) return old;
    const response = await this.#fetch(url, {
      method: 'POST',
      headers,
      body,
      // A redirect would carry the token to another origin.
      redirect: 'error',
      referrerPolicy: 'no-referrer',
    });
    const type = response.headers.get('content-type') ?? '';
    const answer = { status: response.status, type, body: await readBody(response, MAX_OAUTH_BYTES) };
    if (response.ok) await this.#vault.put(place, { id, ...answer }).catch(() => undefined);
    return answer;
  }
}

/** The page words it. */
function whyNot(error: unknown): CarriedRefusal | undefined {
  return error instanceof BodyTooLarge ? { limitBytes: error.limitBytes } : undefined;
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
