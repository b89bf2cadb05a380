/** A sealed secret as text, for places that hold only text. */
import { stringField } from '../base/json.ts';
import type { Sealed } from './vault.ts';

export function printSealed({ iv, data }: Sealed): string {
  return JSON.stringify({ iv: toBase64(iv), data: toBase64(new Uint8Array(data)) });
}

/** Gives `undefined` for what is no sealed secret. */
export function parseSealed(text: string): Sealed | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const [iv, data] = [stringField(value, 'iv'), stringField(value, 'data')];
    return iv === undefined || data === undefined
      ? undefined
      : { iv: fromBase64(iv), data: fromBase64(data).buffer };
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
