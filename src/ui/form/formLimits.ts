/** How much of a schema a form shows. A server may send any amount of it. */
import { isObject, stringField, type JsonObject } from '../../base/json.ts';
import { formatNumber } from '../../base/format.ts';

/** More members, items or entries in one place are not drawn. */
export const MAX_FIELDS = 300;
/** So many fields are drawn in all, with those that are within others. */
export const MAX_DRAWN = 1000;
export const MAX_CHOICES = 500;
/** A longer default is not put into its field. */
export const MAX_INITIAL_CHARS = 50_000;

export const TOO_LONG = 'Too long for a form. Edit it as JSON.';

/** The same schema, with one sentence more in its description. */
export function noted(schema: unknown, note: string): JsonObject {
  const description = stringField(schema, 'description');
  return {
    ...(isObject(schema) ? schema : {}),
    description: description === undefined || description === '' ? note : `${description} ${note}`,
  };
}

/** Said of a field whose choices are too many for a list. */
export function choicesNote(schema: JsonObject): string | undefined {
  const listed = schema['enum'] ?? schema['oneOf'] ?? schema['anyOf'];
  return Array.isArray(listed) && listed.length > MAX_CHOICES
    ? `It has ${formatNumber(listed.length)} choices, too many for a form.`
    : undefined;
}
