/**
 * An HTTP server behind the bridge. One that sends event IDs replays by itself, and everything passes. For one that
 * doesn't, the bridge holds its streams in a session of its own. 2026-07-28 has no session, and passes as well.
 */
import type { BridgeReplay } from '../src/base/bridgeContract.ts';
import { asksToInitialize, rpcError } from '../targets/core/messages.ts';
import { forward, passOn } from './forward.ts';
import { HeldTasks } from './heldTasks.ts';
import { asError, HttpUpstream, unreachable } from './httpUpstream.ts';
import { openOldSse, OldSseUpstream } from './oldSseUpstream.ts';
import { peekInitialize } from './peekInitialize.ts';
import { relayMetadata, withLoginFacts } from './resourceMetadata.ts';
import type { ServerSide, SideAnswer } from './serverSide.ts';
import type { BridgeSession } from './session.ts';
import { parseBody, type BridgeSessions } from './sessions.ts';
import { STATELESS_SINCE, type OpenUpstream } from './upstream.ts';

export interface HttpSideOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly replay: 'auto' | 'bridge';
  /** How long a call that is held as a task is kept after its end. */
  readonly holdMs: number;
  readonly sessions: BridgeSessions;
  readonly onUnreachable: (why: string) => void;
}

/** What a server without Streamable HTTP answers to `initialize` (2025-11-25, "Backwards Compatibility"). */
const MAYBE_OLD = [400, 404, 405];

export class HttpSide implements ServerSide {
  readonly #o: HttpSideOptions;
  readonly #tasks: HeldTasks;

  constructor(options: HttpSideOptions) {
    this.#o = options;
    this.#tasks = new HeldTasks({ url: options.url, holdMs: options.holdMs });
  }

  async fetch(request: Request, path: string): Promise<SideAnswer> {
    const { url } = this.#o;
    if (path === METADATA_PATH) return { response: await relayMetadata(url), replay: 'server' };
    if (path !== '') return { response: rpcError(404, -32000, 'Not found'), replay: 'server' };
    const { response, replay } = await this.#answer(request);
    const metadata = new URL(request.url);
    metadata.pathname += METADATA_PATH;
    return { response: withLoginFacts(response, url, metadata.href), replay };
  }

  find(headers: Headers): BridgeSession | undefined {
    return this.#o.sessions.find(headers);
  }

  close(now?: boolean): Promise<void> {
    this.#tasks.close();
    return this.#o.sessions.close(now);
  }

  async #answer(request: Request): Promise<SideAnswer> {
    const { sessions } = this.#o;
    if (sessions.owns(request.headers)) return { response: await sessions.fetch(request), replay: 'bridge' };
    if (request.method !== 'POST') return this.#pass(request);
    const text = await request.text();
    const body = parseBody(text);
    const held = isStateless(request) ? await this.#answerHeld(body, request) : undefined;
    if (held) return { response: held, replay: this.#tasks.replay };
    const initializes = asksToInitialize(body) && !request.headers.has('mcp-session-id');
    return initializes ? this.#initialize(request, body, text) : this.#pass(request, text);
  }

  /** What the bridge answers itself for a server of 2026-07-28. */
  async #answerHeld(body: unknown, request: Request): Promise<Response | undefined> {
    try {
      return await this.#tasks.answer(body, this.#headersFor(request));
    } catch (error) {
      return this.#unreachable(asError(error)).response;
    }
  }

  async #initialize(request: Request, body: unknown, text: string): Promise<SideAnswer> {
    const { url, replay, headers: own, sessions } = this.#o;
    const headers = this.#headersFor(request);
    const abort = new AbortController();
    const answer = await forward(url, { method: 'POST', headers, body: text, signal: abort.signal }).catch(
      asError,
    );
    if (answer instanceof Error) return this.#unreachable(answer);
    const hold = async (open: OpenUpstream): Promise<SideAnswer> => ({
      response: await sessions.begin(request.headers, body, text, open),
      replay: 'bridge',
    });
    if (MAYBE_OLD.includes(answer.status)) {
      const stream = await openOldSse(url, headers);
      if (stream) {
        answer.body.resume();
        return hold((events) => new OldSseUpstream(stream, own, events));
      }
    }
    if (answer.status >= 300) return { response: passOn(answer), replay: 'server' };
    const peeked = await peekInitialize(answer).catch(asError);
    if (peeked instanceof Error) return this.#unreachable(peeked);
    const serverSession = answer.headers.get('mcp-session-id') ?? undefined;
    if (peeked.hasEventIds && serverSession !== undefined && replay === 'auto') {
      return { response: passOn(peeked.whole), replay: 'server' };
    }
    return hold(
      (events) => new HttpUpstream({ url, headers: own, serverSession, initialized: peeked.whole }, events),
    );
  }

  /** As it came, and back as it came. A page that leaves closes the stream toward the server, too. */
  async #pass(request: Request, body?: string): Promise<SideAnswer> {
    const { method, signal } = request;
    const headers = this.#headersFor(request);
    const replay: BridgeReplay = isStateless(request) ? this.#tasks.replay : 'server';
    const answer = await forward(this.#o.url, {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
    }).catch(asError);
    if (answer instanceof Error) return this.#unreachable(answer);
    return { response: passOn(answer), replay };
  }

  #unreachable(error: Error): SideAnswer {
    this.#o.onUnreachable(error.message);
    return { response: unreachable(error), replay: 'server' };
  }

  #headersFor({ headers }: Request): Headers {
    const sent = new Headers(headers);
    for (const [name, value] of Object.entries(this.#o.headers)) sent.set(name, value);
    return sent;
  }
}

const isStateless = ({ headers }: Request): boolean =>
  (headers.get('mcp-protocol-version') ?? '') >= STATELESS_SINCE;

const METADATA_PATH = '/oauth-protected-resource';
