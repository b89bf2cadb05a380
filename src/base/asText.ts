/** Text for a value of unknown type. A coercion would run the value's own `toString`, and `{"toString":null}` throws. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) return asJson(value);
  // Everything but objects is left, and no server can send a symbol or a function.
  // oxlint-disable-next-line typescript/no-base-to-string -- the compiler does not narrow unknown
  return String(value);
}

function asJson(value: object): string {
  try {
    // JSON.stringify returns undefined where `toJSON` does.
    return JSON.stringify(value) ?? '';
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}
