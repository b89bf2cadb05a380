/** What a browser had stored, dumped as JSON from an earlier version, as a disk again. */
import { asText } from '../../base/asText.ts';
import { isObject } from '../../base/json.ts';

/** Bytes and keys are no JSON: the dump has them as objects with one member. */
export async function revive(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(revive));
  if (!isObject(value)) return value;
  if ('$bytes' in value) return bytes(asText(value['$bytes']));
  if ('$buffer' in value) return bytes(asText(value['$buffer'])).buffer;
  if ('$key' in value) {
    const key = value['$key'] as JsonWebKey;
    return crypto.subtle.importKey('jwk', key, 'AES-GCM', false, ['encrypt', 'decrypt']);
  }
  const fields = Object.entries(value).map(async ([name, field]) => [name, await revive(field)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
