/** Recordings for tests, written as a page and a server would make them. */
import type { JsonObject } from '../../../src/base/json.ts';
import { traceCall } from '../callTrace.ts';
import { kindOf } from '../classify.ts';
import { judge, type Finding } from '../judge.ts';
import type { Interruption, PageLoad, Recording, WireEvent, WireExchange } from '../model.ts';
import { caseOf } from '../rules/rule.ts';

const VERSION = '2025-11-25';
export const SESSION = 'session-of-the-page';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: JsonObject;
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** Every step takes 10 ms, except those that say otherwise. */
export class Script {
  readonly recording: Recording & {
    exchanges: WireExchange[];
    interruptions: Interruption[];
    pages: PageLoad[];
  } = { startedAt: 0, exchanges: [], interruptions: [], pages: [], notes: [] };
  at = 0;
  page: PageLoad;

  constructor() {
    this.page = { tab: 1, load: 1, line: 1, at: 0 };
    this.recording.pages.push(this.page);
  }

  wait(ms: number): this {
    this.at += ms;
    return this;
  }

  send({
    method = 'POST',
    headers = {},
    message,
    status = 200,
    responseHeaders = {},
    url = 'http://127.0.0.1:1/mcp',
  }: Sent): WireExchange {
    this.wait(10);
    const exchange: WireExchange = {
      index: this.recording.exchanges.length,
      at: this.at,
      server: 'default',
      kind: kindOf(method, headers, message),
      method,
      url,
      requestHeaders: headers,
      ...(message && { message }),
      page: this.page,
      onLeave: false,
      isForwarded: true,
      status,
      responseHeaders,
      headAt: this.at + 5,
      events: [],
    };
    this.recording.exchanges.push(exchange);
    return exchange;
  }

  /** `delivered: false`: the page does not get it. */
  event(exchange: WireExchange, event: Partial<WireEvent>, { delivered = true } = {}): this {
    this.wait(10);
    exchange.events.push({ at: this.at, ...event, ...(delivered && { deliveredAt: this.at + 1 }) });
    return this;
  }

  session(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { 'mcp-session-id': SESSION, 'mcp-protocol-version': VERSION, ...headers };
  }

  initialize(id: number | string = 0, session = SESSION): WireExchange {
    const message = { jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: VERSION } };
    const exchange = this.send({ message, responseHeaders: { 'mcp-session-id': session } });
    this.event(exchange, { message: { jsonrpc: '2.0', id, result: { protocolVersion: VERSION } } });
    return exchange;
  }

  call(id: number | string = 1, headers = this.session()): WireExchange {
    const params = { name: 'report', arguments: { seconds: 3 }, _meta: { progressToken: id } };
    return this.send({ headers, message: { jsonrpc: '2.0', id, method: 'tools/call', params } });
  }

  progress(
    exchange: WireExchange,
    number: number,
    {
      token = 1,
      delivered = true,
      id = `e.${number}`,
    }: { token?: number | string; delivered?: boolean; id?: string } = {},
  ): this {
    const params = { progressToken: token, progress: number };
    return this.event(
      exchange,
      { eventId: id, message: { jsonrpc: '2.0', method: 'notifications/progress', params } },
      { delivered },
    );
  }

  respond(
    exchange: WireExchange,
    id: number | string = 1,
    { delivered = true, eventId = 'e.last' } = {},
  ): this {
    return this.event(
      exchange,
      { eventId, message: { jsonrpc: '2.0', id, result: { content: [] } } },
      { delivered },
    );
  }

  resume(lastEventId: string, headers = this.session()): WireExchange {
    return this.send({ method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } });
  }

  delete(): WireExchange {
    return this.send({ method: 'DELETE', headers: this.session() });
  }

  reload(kind: Interruption['kind'] = 'reload'): this {
    this.wait(200);
    const at = this.at;
    this.wait(50);
    this.recording.interruptions.push({
      kind,
      at,
      backAt: this.at,
      ...(kind === 'reload' && { line: this.page.line }),
    });
    if (kind !== 'reload') return this;
    this.page = { ...this.page, load: this.page.load + 1, at: this.at };
    this.recording.pages.push(this.page);
    return this;
  }

  judge(call: WireExchange, claimed: readonly WireExchange[] = [call]): readonly Finding[] {
    return judge(caseOf(this.recording, traceCall(this.recording, call), claimed));
  }

  rules(call: WireExchange, claimed?: readonly WireExchange[]): readonly string[] {
    return this.judge(call, claimed).map(({ rule }) => rule);
  }
}

/** A page with an open call that has received so many messages. */
export function openCall(messages = 3): { script: Script; call: WireExchange } {
  const script = new Script();
  script.initialize();
  const call = script.call();
  script.event(call, { eventId: 'e.0' });
  for (let number = 1; number <= messages; number += 1) script.progress(call, number);
  return { script, call };
}
