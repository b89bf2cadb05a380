/** What is typed into the fields of a template, as the values that it is expanded with. */
import type { UriTemplate, Value, Variable } from '../../base/uriTemplate.ts';

/** An exploded variable is a list, one value a line; lines that are all `name=value` are pairs. */
export function readValues(
  { variables }: UriTemplate,
  typed: Readonly<Record<string, string>>,
): ReadonlyMap<string, Value> {
  return new Map(
    variables.flatMap((variable): [string, Value][] => {
      const text = typed[variable.name] ?? '';
      return text === '' ? [] : [[variable.name, readValue(variable, text)]];
    }),
  );
}

function readValue({ explodes }: Variable, text: string): Value {
  if (!explodes) return text;
  const lines = text.split('\n').filter((line) => line !== '');
  if (!lines.every((line) => line.indexOf('=') > 0)) return lines;
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
