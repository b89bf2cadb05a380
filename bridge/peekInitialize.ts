/** Reads the response to `initialize` whole, to see whether the server sends event IDs, and gives it back unread. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createParser } from 'eventsource-parser';
import { isResponseMessage } from './calls.ts';
import { isStream, type Forwarded } from './forward.ts';
import { messagesIn } from './messagesIn.ts';

export interface PeekedInitialize {
  readonly hasEventIds: boolean;
  readonly whole: Forwarded;
}

/** A stream is read up to the response: some servers never close it. */
export async function peekInitialize(answer: Forwarded): Promise<PeekedInitialize> {
  const parts: Buffer[] = [];
  let hasEventIds = false;
  let isComplete = false;
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent: ({ id, data }) => {
      if (id !== undefined && id !== '') hasEventIds = true;
      if (messagesIn(data).some(({ message }) => isResponseMessage(message))) isComplete = true;
    },
  });
  for await (const part of answer.body) {
    parts.push(part as Buffer);
    if (isStream(answer.headers)) parser.feed(decoder.decode(part as Buffer, { stream: true }));
    if (isComplete) break;
  }
  const body = Readable.from(parts) as IncomingMessage;
  return { hasEventIds, whole: { ...answer, body } };
}
