/** Reads the body of a foreign response as text, up to a limit. */
import { bytes } from '../base/format.ts';

/** A larger message is not read: the page must stay usable, and a result of this size is of no use on a screen. */
export const MAX_MESSAGE_BYTES = 32_000_000;
/** Metadata, tokens and registrations are a few kilobytes. */
export const MAX_OAUTH_BYTES = 1_000_000;

export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The response is larger than ${bytes(limitBytes)}, so it isn’t read.`);
    this.limitBytes = limitBytes;
  }
}

/** Counts what comes out of the decompression, so a small body that unfolds to a huge one is cancelled too. */
export async function readBody({ body }: Response, limitBytes: number): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    size += value.byteLength;
    if (size > limitBytes) {
      // The response is refused either way; a failing cancel changes nothing.
      reader.cancel().catch(() => undefined);
      throw new BodyTooLarge(limitBytes);
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}

/** The same response with another body. */
export function withBody(response: Response, body: BodyInit): Response {
  const { status, statusText, headers } = response;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? body : null, { status, statusText, headers });
}
