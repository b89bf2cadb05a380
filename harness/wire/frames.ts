/** Splits a stream into its events, each with its own text, so that single events can be held back. Pure. */
import { createParser } from 'eventsource-parser';
import type { JsonObject } from '../../src/base/json.ts';
import { messageIn } from './classify.ts';

export interface Frame {
  /** With the empty line at its end. */
  readonly text: string;
  readonly eventId?: string;
  readonly message?: JsonObject;
  readonly retryMs?: number;
}

const END = /\r\n\r\n|\n\n|\r\r/g;

export class FrameSplitter {
  #rest = '';

  /** The events that are complete now. */
  push(text: string): readonly Frame[] {
    this.#rest += text;
    const frames: Frame[] = [];
    let from = 0;
    for (const match of this.#rest.matchAll(END)) {
      const to = match.index + match[0].length;
      frames.push(readFrame(this.#rest.slice(from, to)));
      from = to;
    }
    this.#rest = this.#rest.slice(from);
    return frames;
  }

  /** What follows the last complete event. */
  get rest(): string {
    return this.#rest;
  }
}

function readFrame(text: string): Frame {
  let frame: Frame = { text };
  const parser = createParser({
    onEvent: ({ id, data }) => {
      const message = messageIn(data);
      frame = { ...frame, ...(id !== undefined && { eventId: id }), ...(message && { message }) };
    },
    onRetry: (retryMs) => (frame = { ...frame, retryMs }),
  });
  parser.feed(text);
  return frame;
}
