/** Text for a value of unknown type. A coercion would run the value's own `toString`, and `{"toString":null}` throws. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null) return asJson(value);
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
