/** Parsing at the edges: what comes from a wire or a disk is `unknown` until it was looked at. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function stringField(value: unknown, name: string): string | undefined {
  if (!isObject(value)) return undefined;
  const field = value[name];
  return typeof field === 'string' ? field : undefined;
}

export function numberField(value: unknown, name: string): number | undefined {
  if (!isObject(value)) return undefined;
  const field = value[name];
  return typeof field === 'number' && Number.isFinite(field) ? field : undefined;
}

export function objectField(value: unknown, name: string): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const field = value[name];
  return isObject(field) ? field : undefined;
}
