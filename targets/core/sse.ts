/** Server-sent events as bytes: where frames end, and a pipe that can watch, change, end or tear a stream. */
const LINE_FEED = 10;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Cuts bytes into whole frames, each with the empty line that ends it. */
function frameSplitter(): (chunk: Uint8Array) => Uint8Array[] {
  let pending: Uint8Array = new Uint8Array();
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : join(pending, chunk);
    const frames: Uint8Array[] = [];
    let start = 0;
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
      if (bytes[at + 1] !== LINE_FEED) continue;
      frames.push(bytes.subarray(start, at + 2));
      start = at + 2;
      at += 1;
    }
    pending = bytes.subarray(start);
    return frames;
  };
}

/** The id of a frame, read from its head only: the data may be 50 MB. */
export function frameId(frame: Uint8Array): string | undefined {
  const head = decoder.decode(frame.subarray(0, 300));
  return /^id: ?(.*)$/m.exec(head)?.[1];
}

/** A frame with an id and nothing to say. */
export function isPrimingFrame(frame: Uint8Array): boolean {
  return frame.length < 300 && /^data: ?$/m.test(decoder.decode(frame)) && frameId(frame) !== undefined;
}

export function primingFrame(eventId: string, retryMs?: number): Uint8Array {
  const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
  return encoder.encode(`id: ${eventId}\n${retry}data: \n\n`);
}

export function retryFrame(retryMs: number): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n\n`);
}

/** `json` is a message in one line. */
export function messageFrame(eventId: string | undefined, json: string): Uint8Array {
  const id = eventId === undefined ? '' : `id: ${eventId}\n`;
  return encoder.encode(`event: message\n${id}data: ${json}\n\n`);
}

export const sseHeaders = (sessionId: string): Record<string, string> => ({
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'mcp-session-id': sessionId,
});

export function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

export type FrameVerdict = 'pass' | 'drop' | 'end';

export interface FramePipeOptions {
  /** Sent before anything else. */
  readonly first?: Uint8Array;
  /** Decides about each frame; `end` passes it and closes. */
  readonly decide?: (frame: Uint8Array) => FrameVerdict;
  /** Leave the stream open when its source ends. */
  readonly holdOpen?: boolean;
}

/** The same response, its frames passed one by one. */
export function pipeFrames(response: Response, options: FramePipeOptions): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const split = frameSplitter();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (options.first) controller.enqueue(options.first);
    },
    async pull(controller) {
      for (let passed = false; !passed;) {
        const { done, value } = await reader.read();
        if (done) return options.holdOpen ? undefined : controller.close();
        for (const frame of split(value)) {
          const verdict = options.decide?.(frame) ?? 'pass';
          if (verdict === 'drop') continue;
          controller.enqueue(frame);
          passed = true;
          if (verdict !== 'end') continue;
          await reader.cancel();
          return controller.close();
        }
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}

/** The same response, and the first chunk of its body. Resolves when that has come. */
export async function takeFirstChunk(response: Response): Promise<{ first: Uint8Array; whole: Response }> {
  const reader = response.body?.getReader();
  const first = (await reader?.read())?.value ?? new Uint8Array();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return { first, whole: new Response(body, response) };
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
