/** Knows the messages of one chunk that only count, by their form. */
import type { JsonObject } from '../base/json.ts';
import type { RunShape } from '../log/entry/entryRun.ts';
import { callOf, isForeign } from './callOf.ts';
import type { FrameContext } from './frameContext.ts';
import { progressIn, type MessageForm } from './messageForm.ts';

export class CountedShapes {
  readonly #context: FrameContext;
  readonly #shapes = new Map<MessageForm, RunShape>();
  #mixesStreams = false;
  /** Asked again for every event of a burst. */
  #lastForm: MessageForm | undefined;
  #isLastForeign = false;

  constructor(context: FrameContext) {
    this.#context = context;
  }

  formOf(data: string): MessageForm | undefined {
    const { forms, redactor } = this.#context;
    const form = data === '' ? undefined : forms.match(data);
    return form && !redactor.mayHide(data) ? form : undefined;
  }

  /** Is a message of this form of another request than the stream? */
  isForeign(form: MessageForm): boolean {
    if (form !== this.#lastForm) {
      this.#lastForm = form;
      this.#isLastForeign = isForeign(form.sample, this.#context);
    }
    return this.#isLastForeign;
  }

  /** Nothing, if it may show that the tool runs again: then its words count. */
  count(data: string, form: MessageForm): RunShape | undefined {
    const shape = this.#shapeOf(form);
    const { callId } = shape;
    if (callId === undefined || form.progressAt === undefined) return shape;
    return this.#context.runs.goesOn(callId, progressIn(data, form), form.total) ? shape : undefined;
  }

  learn(data: string, message: JsonObject): void {
    this.#context.forms.learn(data, message);
  }

  #shapeOf(form: MessageForm): RunShape {
    const { mixesStreams } = this.#context.seen;
    if (mixesStreams !== this.#mixesStreams) this.#shapes.clear();
    this.#mixesStreams = mixesStreams;
    const known = this.#shapes.get(form);
    if (known) return known;
    const callId = callOf(form.sample, this.#context);
    const shape = { method: form.method, ...(callId !== undefined && { callId }) };
    this.#shapes.set(form, shape);
    return shape;
  }
}
