/** The prompts of a server as a person tries them: which one is open, and what it became with which arguments. */
import { isObject, type JsonObject } from '../base/json.ts';
import { errorMessage } from '../base/format.ts';
import { findLastAnswer, isAnswerOfCall } from './lastAnswer.ts';
import type { ServerView } from './serverView.svelte.ts';

export type Preview =
  | { readonly name: 'getting' }
  /** The server wants to know something first. */
  | { readonly name: 'asked' }
  | { readonly name: 'failed'; readonly why: string }
  | { readonly name: 'got'; readonly at: number; readonly result: JsonObject };

const PLACE = 'prompt';

export class PromptsView {
  readonly #server: ServerView;
  readonly #stopListening: () => void;
  #preview = $state.raw<{ readonly prompt: string; readonly preview: Preview }>();

  constructor(server: ServerView) {
    this.#server = server;
    this.#recall(this.picked);
    // An answer may come to a question that an earlier page was asked.
    this.#stopListening = server.log.onAppended(({ others }) => {
      if (others.some(isAnswerOfCall)) this.#recall(this.picked);
    });
  }

  get picked(): string | undefined {
    return this.#server.place.read(PLACE);
  }

  pick(prompt: string | undefined): void {
    this.#server.place.write(PLACE, prompt);
    this.#recall(prompt);
  }

  preview(prompt: string): Preview | undefined {
    if (this.#server.openRequest('prompts/get', prompt) === 'asked') return { name: 'asked' };
    return this.#preview?.prompt === prompt ? this.#preview.preview : undefined;
  }

  async get(prompt: string, args: Readonly<Record<string, string>>): Promise<void> {
    this.#preview = { prompt, preview: { name: 'getting' } };
    const preview = await this.#ask(prompt, args);
    // Somebody may have gone on to another one.
    if (this.#preview.prompt === prompt) this.#preview = { prompt, preview };
  }

  async #ask(prompt: string, args: Readonly<Record<string, string>>): Promise<Preview> {
    try {
      const result = await this.#server.perform({ does: 'prompt', prompt, args });
      return { name: 'got', at: Date.now(), result: isObject(result) ? result : {} };
    } catch (error) {
      return { name: 'failed', why: errorMessage(error) };
    }
  }

  close(): void {
    this.#stopListening();
  }

  /** What was got before a reload stands in the log. */
  #recall(prompt: string | undefined): void {
    const known = this.#preview?.prompt === prompt ? this.#preview?.preview : undefined;
    if (prompt === undefined || known?.name === 'getting') return;
    const answer = findLastAnswer(
      this.#server.log.tail,
      'prompts/get',
      (params) => params['name'] === prompt,
    );
    if (known && (!answer || (known.name === 'got' && known.at >= answer.at))) return;
    this.#preview = answer && { prompt, preview: { name: 'got', at: answer.at, result: answer.result } };
  }
}
