/** JSON for reading: what fits on a line stays on it. */
import { asText } from '../../base/asText.ts';
import { isObject } from '../../base/json.ts';

const LINE_CHARS = 80;
/** Bigger texts are shown as they came. */
const PRETTY_CHARS = 200_000;

/** JSON with line breaks, if it is JSON; the text as it is, if not. */
export function prettyText(text: string): string {
  if (text.length > PRETTY_CHARS || !/^\s*[[{]/.test(text)) return text;
  try {
    return prettyJson(JSON.parse(text));
  } catch {
    return text;
  }
}

export function prettyJson(value: unknown): string {
  try {
    const plain = JSON.stringify(value, undefined, 2) ?? '';
    return plain.length > PRETTY_CHARS ? plain : print(value, '');
  } catch {
    // Too deep to be printed with indents.
    return asText(value);
  }
}

function print(value: unknown, indent: string): string {
  if (!Array.isArray(value) && !isObject(value)) return JSON.stringify(value) ?? 'null';
  const line = onOneLine(value);
  if (indent.length + line.length <= LINE_CHARS && !isNested(value)) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${print(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${print(member, inner)}`);
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return '{}';
  return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`).join(', ')} }`;
}

/** More than a list in an object, or an object in a list, is not read at a glance. */
function isNested(value: object): boolean {
  return Object.values(value).some(
    (member: unknown) =>
      typeof member === 'object' &&
      member !== null &&
      Object.values(member).some((inner: unknown) => typeof inner === 'object' && inner !== null),
  );
}
