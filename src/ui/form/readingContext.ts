/** How far a form is read: what it contains is counted, and a schema without an end is found. */
import type { JsonObject } from '../../base/json.ts';
import { shortText } from '../parts/shortText.ts';
import type { Field } from './field.ts';
import { MAX_DRAWN, TOO_LONG } from './formLimits.ts';
import { leaf } from './leaf.ts';
import { rootOf, type Root } from './schema.ts';

/** What a required part contains is read at once: this is how a schema without an end is found. */
export interface Context {
  readonly root: Root;
  readonly within: readonly unknown[];
  /** How many more fields may be drawn. */
  readonly drawn: { left: number };
}

export const contextOf = (schema: unknown): Context => ({
  root: rootOf(schema),
  within: [],
  drawn: { left: MAX_DRAWN },
});

/** There can be no form of this: it has no end, or it is too long. */
export class NoForm extends Error {
  override readonly name = 'NoForm';
}

export function deeper(kind: Field['kind'], name: string, schema: JsonObject, context: Context): Context {
  // Resolving makes a new object where it merges, so the way there is told by what the schema says.
  const key = `${kind} ${JSON.stringify(schema['properties'] ?? schema['items'] ?? schema)}`;
  // What is deep is written once for each of its levels.
  context.root.left -= Math.floor(key.length / CHARS_PER_STEP);
  if (context.root.left < 0) throw new NoForm('Too long for a form.');
  if (context.within.includes(key)) {
    throw new NoForm(`“${shortText(name)}” requires itself recursively.`);
  }
  return { ...context, within: [...context.within, key] };
}

const CHARS_PER_STEP = 1000;

/** What is read later counts by itself. */
export const renewed = (context: Context): Context => ({
  ...contextOf(context.root.schema),
  within: context.within,
});

export const afresh = (context: Context): Context => contextOf(context.root.schema);

/** Read once, and at once where it is drawn in any case. Of what is read later, `instead` stands for what has no form. */
export function once<T>(read: () => T, now: boolean, instead: () => T): () => T {
  let value: { readonly read: T } | undefined = now ? { read: read() } : undefined;
  return () => (value ??= { read: orElse(read, instead) }).read;
}

export const orJson = (label: string, read: () => Field): Field => orElse(read, () => asJson(label));

export const asJson = (label: string): Field =>
  leaf('json', label, { description: TOO_LONG }, true, undefined);

function orElse<T>(read: () => T, instead: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NoForm) return instead();
    throw error;
  }
}
