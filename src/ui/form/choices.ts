/** The values that a schema lists, with the names that it has for them. */
import { isObject, stringField, type JsonObject } from '../../base/json.ts';
import { MAX_CHOICES } from './formLimits.ts';
import { shortText } from '../parts/shortText.ts';

export interface Choice {
  /** The value as JSON: not every choice is a string. */
  readonly json: string;
  readonly label: string;
}

/** Undefined where there are none, or too many for a form. */
export function readChoices(property: JsonObject): readonly Choice[] | undefined {
  const values = property['enum'];
  if (Array.isArray(values)) {
    if (values.length > MAX_CHOICES) return undefined;
    const names: unknown = property['enumNames'] ?? property['x-enum-varnames'];
    return distinct(
      values.map((value: unknown, i) => choice(value, Array.isArray(names) ? names[i] : undefined)),
    );
  }
  if ('const' in property) return [choice(property['const'], undefined)];
  const variants = property['oneOf'] ?? property['anyOf'];
  if (!Array.isArray(variants) || variants.length === 0 || variants.length > MAX_CHOICES) return undefined;
  const choices = variants.flatMap((variant) =>
    isObject(variant) && 'const' in variant ? [choice(variant['const'], stringField(variant, 'title'))] : [],
  );
  return choices.length === variants.length ? distinct(choices) : undefined;
}

function choice(value: unknown, name: unknown): Choice {
  const json = JSON.stringify(value) ?? 'null';
  const plain = typeof value === 'string' && value !== '' ? value : json;
  return { json, label: shortText(typeof name === 'string' ? name : plain) };
}

function distinct(choices: readonly Choice[]): readonly Choice[] {
  return [...new Map(choices.map((one) => [one.json, one])).values()];
}
