/** The messages in the body of a response of an MCP server: events of a stream, or JSON. */
import { createParser } from 'eventsource-parser';
import { isStream, textOf, type Forwarded } from './forward.ts';
import { messagesIn } from './messagesIn.ts';
import type { JsonRecord } from './upstream.ts';

export interface ReadEvent {
  readonly type: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Calls `onEvent` for each event, until the stream ends. Rejects if it breaks. */
export async function readEvents({ body }: Forwarded, onEvent: (event: ReadEvent) => void): Promise<void> {
  const parser = createParser({
    onEvent: ({ event, id, data }) => onEvent({ type: event ?? 'message', id, data }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
}

export type OnMessage = (text: string, message: JsonRecord) => void;

/** The messages of a stream or of a JSON body. Resolves at its end. */
export async function readMessages(response: Forwarded, onMessage: OnMessage): Promise<void> {
  const read = (data: string) => {
    for (const { text, message } of messagesIn(data)) onMessage(text, message);
  };
  if (isStream(response.headers)) return readEvents(response, ({ data }) => read(data));
  read((await textOf(response.body)).trim());
}
