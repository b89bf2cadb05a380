/** An error that keeps its reason: the log and the state take the code and the facts, a message is only for the console. */
import type { Reason } from './reason.ts';
import { reasonText } from './reasonText.ts';

export class ReasonError extends Error {
  override readonly name = 'ReasonError';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reasonText(reason));
    this.reason = reason;
  }
}

/** What an error is a fact of: a reason where it has one, or else the words of the browser or of a library. */
export function factOf(
  error: unknown,
  wordsOf: (error: unknown) => string,
): { readonly because: Reason } | { readonly text: string } {
  return error instanceof ReasonError ? { because: error.reason } : { text: wordsOf(error) };
}
