/** What every part of a form is given: the texts so far, what is wrong with them, and how to change them. */
import type { Snippet } from 'svelte';
import type { Problems } from './draft.ts';
import type { Field } from './field.ts';
import { idOf, type Texts } from './paths.ts';

/** Draws a field of whatever kind: fields contain fields. */
export type DrawField = Snippet<[field: Field, path: string]>;

export interface FormContext {
  /** Begins every id of this form: a page may have several. */
  readonly id: string;
  readonly texts: Texts;
  readonly problems: Problems;
  readonly set: (changes: Texts) => void;
  readonly replace: (texts: Texts) => void;
}

export function fieldId(form: FormContext, path: string): string {
  return `${form.id}-${idOf(path)}`;
}
