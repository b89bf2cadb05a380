/** The forms of the messages that came last on one connection. */
import type { JsonObject } from '../base/json.ts';
import { formOf, LONGEST_FORM, type MessageForm } from './messageForm.ts';

const MOST_FORMS = 4;
/** Making a form costs as much as it saves with a few messages. So many are made in advance, … */
const FREE_FORMS = 8;
/** … and one more for so many messages that had a known one. */
const MATCHES_PER_FORM = 32;

export class MessageForms {
  #forms: readonly MessageForm[] = [];
  #made = 0;
  #matches = 0;

  match(text: string): MessageForm | undefined {
    if (text.length > LONGEST_FORM) return undefined;
    for (const form of this.#forms) {
      if (!form.pattern.test(text)) continue;
      this.#matches += 1;
      return form;
    }
    return undefined;
  }

  /** A message that was parsed, because it had no known form. */
  learn(text: string, message: JsonObject): void {
    if (this.#made > FREE_FORMS + this.#matches / MATCHES_PER_FORM) return;
    this.#made += 1;
    const form = formOf(text, message);
    if (form) this.#forms = [form, ...this.#forms].slice(0, MOST_FORMS);
  }
}
