/** The events of one response, read frame by frame. */
export interface RawFrame {
  readonly id?: string;
  readonly retry?: number;
  readonly data: string;
  /** The data as JSON, if there is any. */
  readonly message?: Record<string, unknown>;
}

export class RawStream {
  readonly response: Response;
  readonly #abort: AbortController;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  #buffer = '';
  #done = false;

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
  }

  get status(): number {
    return this.response.status;
  }

  /** The next frame; `undefined` at the end of the stream. */
  async next(): Promise<RawFrame | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf('\n\n');
      if (end !== -1) {
        const frame = parseFrame(this.#buffer.slice(0, end));
        this.#buffer = this.#buffer.slice(end + 2);
        return frame;
      }
      this.#reader ??= this.response.body?.getReader();
      if (this.#done || !this.#reader) return undefined;
      const { done, value } = await this.#reader.read();
      if (value) this.#buffer += this.#decoder.decode(value, { stream: true });
      if (done) this.#done = true;
    }
  }

  /** Frames until `isLast` holds, that one included; throws if the stream ends before. */
  async readUntil(isLast: (frame: RawFrame) => boolean): Promise<RawFrame[]> {
    const frames: RawFrame[] = [];
    for (let frame = await this.next(); frame; frame = await this.next()) {
      frames.push(frame);
      if (isLast(frame)) return frames;
    }
    throw new Error(`The stream ended after ${frames.length} frames without the one that was awaited`);
  }

  /** Every frame to the end; a JSON body counts as one frame. */
  async readAll(): Promise<RawFrame[]> {
    const frames: RawFrame[] = [];
    for (let frame = await this.next(); frame; frame = await this.next()) frames.push(frame);
    if (this.#buffer.startsWith('{')) frames.push(withMessage({ data: this.#buffer }));
    return frames;
  }

  /** Whether the stream says nothing and does not end for `ms`. */
  async isSilentFor(ms: number): Promise<boolean> {
    const silence = new Promise<'silent'>((resolve) => setTimeout(resolve, ms, 'silent'));
    return (await Promise.race([this.next(), silence])) === 'silent';
  }

  /** What a closed tab does: the connection is gone, nothing is said. */
  leave(): void {
    this.#abort.abort();
  }
}

export const isResponseFrame = (frame: RawFrame) =>
  frame.message !== undefined && ('result' in frame.message || 'error' in frame.message);

export const isMessageFrame = (frame: RawFrame) => frame.message !== undefined;

function parseFrame(text: string): RawFrame {
  const data: string[] = [];
  let frame: RawFrame = { data: '' };
  for (const line of text.split('\n')) {
    const [field, ...rest] = line.split(':');
    const value = rest.join(':').replace(/^ /, '');
    if (field === 'id') frame = { ...frame, id: value };
    if (field === 'retry') frame = { ...frame, retry: Number(value) };
    if (field === 'data') data.push(value);
  }
  return withMessage({ ...frame, data: data.join('\n') });
}

function withMessage(frame: RawFrame): RawFrame {
  return !frame.data.startsWith('{')
    ? frame
    : { ...frame, message: JSON.parse(frame.data) as Record<string, unknown> };
}
