/** What the user is asked in the name of a view. */
export interface AppQuestion {
  readonly about: 'link' | 'call-again';
  readonly text: string;
  answer(isAllowed: boolean): void;
}

/** So many wait at a time; a view that asks for more is refused. */
const MOST_QUESTIONS = 3;

export class AppQuestions {
  #waiting = $state.raw<readonly AppQuestion[]>([]);
  #isClosed = false;

  get waiting(): readonly AppQuestion[] {
    return this.#waiting;
  }

  ask(about: AppQuestion['about'], text: string): Promise<boolean> {
    if (this.#isClosed || this.#waiting.length >= MOST_QUESTIONS) return Promise.resolve(false);
    return new Promise((resolve) => {
      const question: AppQuestion = {
        about,
        text,
        answer: (isAllowed) => {
          this.#waiting = this.#waiting.filter((one) => one !== question);
          resolve(isAllowed);
        },
      };
      this.#waiting = [...this.#waiting, question];
    });
  }

  /** The view is gone, so nothing is allowed any more. */
  close(): void {
    this.#isClosed = true;
    for (const question of this.#waiting) question.answer(false);
  }
}
