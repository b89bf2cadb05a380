/** The formats that a text in an elicitation can have (MCP 2025-11-25, "Elicitation", "Requested Schema"). */
import { isObject, objectField, stringField } from '../../base/json.ts';

interface Format {
  readonly is: (text: string) => boolean;
  readonly says: string;
}

/** A Map, because a server may name a format `constructor`. */
const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    email: {
      is: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
      says: 'Enter an email address, like ada@example.org.',
    },
    uri: { is: (text) => URL.canParse(text), says: 'Enter a URL, like https://example.org.' },
    date: {
      is: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(text),
      says: 'Enter a date, like 1815-12-10.',
    },
    'date-time': {
      is: (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/i.test(text) && isTime(text),
      says: 'Enter a date and time, like 1815-12-10T08:00:00Z.',
    },
  } satisfies Record<string, Format>),
);

/** What is wrong, by the name of the property. */
export function checkFormats(schema: unknown, content: object): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const [name, property] of Object.entries(objectField(schema, 'properties') ?? {})) {
    const format = FORMATS.get(stringField(property, 'format') ?? '');
    const value = isObject(content) ? content[name] : undefined;
    if (format && typeof value === 'string' && !format.is(value)) problems[name] = format.says;
  }
  return problems;
}

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}
