/** JSON with a bounded depth. `JSON.parse` reads any depth, but `JSON.stringify`, copying and drawing overflow the stack. */
export const MAX_DEPTH = 500;

/** Stands where the text has something that is nested deeper. */
export const TOO_DEEP = `‹nested more than ${MAX_DEPTH} levels deep›`;

export interface BoundedJson {
  readonly value: unknown;
  /** The text of the value: another one if something was left out. */
  readonly text: string;
}

/** Throws where `JSON.parse` does. */
export function parseBounded(text: string): BoundedJson {
  const value: unknown = JSON.parse(text);
  if (!isDeep(text)) return { value, text };
  cut(value);
  return { value, text: JSON.stringify(value) };
}

/** Short texts, as in a burst of notifications, can't be deep and aren't looked through. */
function isDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    switch (text[i]) {
      case '"':
        i = endOfString(text, i);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth > MAX_DEPTH) return true;
        break;
      case ']':
      case '}':
        depth -= 1;
        break;
      default:
    }
  }
  return false;
}

/** The position of the quotation mark that ends the string which begins here. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** Whether something is nested deeper than we keep it. Engines differ in what they can print. */
export function isTooDeep(value: unknown): boolean {
  return deepestKept(value).some((container) => Object.values(container).some(isContainer));
}

function cut(value: unknown): void {
  for (const container of deepestKept(value)) {
    for (const [key, member] of Object.entries(container)) {
      if (isContainer(member)) Object.defineProperty(container, key, { ...PLAIN, value: TOO_DEEP });
    }
  }
}

/** The objects and arrays at the deepest level that is kept: level by level, without recursion. */
function deepestKept(value: unknown): readonly object[] {
  let level = [value].filter(isContainer);
  for (let depth = 1; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return level;
}

/** Also for a key named `__proto__`, which an assignment would take for the prototype. */
const PLAIN = { writable: true, enumerable: true, configurable: true };

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
