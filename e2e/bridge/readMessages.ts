/** The messages in the body of a response of an MCP server: events of a stream, or JSON. */
import { createParser } from 'eventsource-parser';
import { isStream, textOf, type Forwarded } from './forward.ts';
import { parseMessage } from './stdioUpstream.ts';
import { isJsonRecord, type JsonRecord } from './upstream.ts';

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
  if (isStream(response.headers)) {
    return readEvents(response, ({ data }) => {
      const message = parseMessage(data);
      if (message) onMessage(oneLine(data, message), message);
    });
  }
  const text = await textOf(response.body);
  const message = parseMessage(text);
  if (message) return onMessage(oneLine(text.trim(), message), message);
  for (const one of batchIn(text)) onMessage(JSON.stringify(one), one);
}

/** An event may have line feeds in its data, and a body too. */
function oneLine(text: string, message: JsonRecord): string {
  return /[\r\n]/.test(text) ? JSON.stringify(message) : text;
}

function batchIn(text: string): readonly JsonRecord[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isJsonRecord) : [];
  } catch {
    return [];
  }
}
