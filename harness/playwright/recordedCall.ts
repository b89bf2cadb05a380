/** A call of somebody's page, as a test holds it: read from the recording each time it is asked. */
import { missedOf } from '../wire/away.ts';
import { outcomeOf, type CallTrace } from '../wire/callTrace.ts';
import { judge, type Finding } from '../wire/judge.ts';
import type { WireExchange } from '../wire/model.ts';
import type { PageWire } from '../wire/pageWire.ts';
import { caseOf, secondRuns, type Case } from '../wire/rules/rule.ts';
import type { CallResponse, WaitOptions, WireCall, WireMessage } from './wireTypes.ts';

export class RecordedCall implements WireCall {
  readonly wire: PageWire;
  readonly exchange: WireExchange;

  constructor(wire: PageWire, exchange: WireExchange) {
    this.wire = wire;
    this.exchange = exchange;
  }

  get trace(): CallTrace {
    return this.wire.trace(this.exchange);
  }

  /** What the rules look at. */
  get case(): Case {
    return caseOf(this.wire.recording(), this.trace, this.wire.claimed);
  }

  judge(): readonly Finding[] {
    return judge(this.case);
  }

  get tool(): string {
    return this.trace.tool;
  }

  get args(): Readonly<Record<string, unknown>> {
    return this.trace.args;
  }

  get requestId(): string | number {
    return this.trace.requestId;
  }

  get server(): string {
    return this.exchange.server;
  }

  get sessionId(): string | undefined {
    return this.trace.sessionId;
  }

  get protocolVersion(): string {
    return this.trace.protocolVersion;
  }

  get taskId(): string | undefined {
    return this.trace.taskId;
  }

  get state(): WireCall['state'] {
    const { response } = this.trace;
    if (!response) return 'open';
    return response.deliveredAt === undefined ? 'responded' : 'delivered';
  }

  get lastEventId(): string | undefined {
    return this.trace.lastEventId;
  }

  get runs(): number {
    return 1 + secondRuns(this.case).length;
  }

  get messages(): readonly WireMessage[] {
    return this.trace.messages.map(({ at, eventId, message, delivery, page, duplicates }) => ({
      at: at - this.exchange.at,
      eventId,
      message,
      delivery,
      load: page?.load,
      duplicates,
    }));
  }

  received(messages: number, { timeout }: WaitOptions = {}): Promise<void> {
    return this.wire.received(this.exchange, messages, timeout);
  }

  async sent(messages: number, { timeout = this.wire.timeoutMs }: WaitOptions = {}): Promise<void> {
    await this.wire.recorder.until(
      () => (this.trace.messages.length >= messages ? true : undefined),
      timeout,
      () =>
        `The server has sent ${this.trace.messages.length} of ${messages} messages, and no event arrived for ${timeout / 1000} s.`,
    );
  }

  async delivered({ timeout = this.wire.timeoutMs }: WaitOptions = {}): Promise<CallResponse> {
    const { message } = await this.wire.recorder.until(
      () => (this.trace.response?.deliveredAt === undefined ? undefined : this.trace.response),
      timeout,
      () =>
        `No page has the response (${missedOf(this.trace)} messages missed), and no event arrived for ${timeout / 1000} s.`,
    );
    const { result, error } = outcomeOf(message);
    return error ? { error } : { result: result ?? {} };
  }
}
