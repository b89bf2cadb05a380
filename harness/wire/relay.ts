/** Passes the body of a server's response through a gate, and records what was in it. */
import type { IncomingMessage } from 'node:http';
import { messageIn } from './classify.ts';
import { FrameSplitter } from './frames.ts';
import type { Gate } from './gate.ts';
import { readBytes } from './http.ts';
import type { WireExchange } from './model.ts';
import type { Recorder } from './recorder.ts';

const BODY_EXCERPT = 2000;

/** SSE: each event as it comes. */
export async function relayStream(
  answer: IncomingMessage,
  exchange: WireExchange,
  gate: Gate,
  recorder: Recorder,
): Promise<void> {
  const decoder = new TextDecoder();
  const splitter = new FrameSplitter();
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (const { text, ...event } of splitter.push(decoder.decode(chunk, { stream: true }))) {
      const isEvent =
        event.eventId !== undefined || event.message !== undefined || event.retryMs !== undefined;
      gate.write({ text, event: isEvent ? recorder.event(exchange, event) : undefined });
    }
  }
  if (splitter.rest !== '') gate.write({ text: splitter.rest });
}

/** Anything else: in one piece, when it has ended. */
export async function relayBody(
  answer: IncomingMessage,
  exchange: WireExchange,
  gate: Gate,
  recorder: Recorder,
): Promise<void> {
  const body = await readBytes(answer);
  const text = body.toString();
  exchange.body = text.slice(0, BODY_EXCERPT);
  const message = exchange.kind === 'preflight' ? undefined : messageIn(text);
  const event = message && recorder.event(exchange, { message });
  if (body.length > 0) gate.write({ text: body, event });
}
