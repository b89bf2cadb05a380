/** A number for the beginning of a text and its length. It is taken of every event of a burst, so four bytes at a time. */

/** Enough of a message to tell two apart: its method and its token stand at the beginning, or soon after. */
const CHARS = 240;
/** UTF-8 has up to three bytes for each of them. */
const bytes = new Uint8Array(3 * CHARS + 4);
const words = new Int32Array(bytes.buffer);
const encoder = new TextEncoder();

/** FNV-1a over words. 31 bits: a larger integer takes memory of its own. */
export function fingerprint(text: string): number {
  const { written } = encoder.encodeInto(text.length > CHARS ? text.slice(0, CHARS) : text, bytes);
  bytes.fill(0, written, written + 3);
  let hash = 0x811c9dc5 ^ text.length;
  for (let i = 0; i < (written + 3) >> 2; i += 1) {
    hash = Math.imul(hash ^ (words[i] ?? 0), 0x01000193);
    // A product says nothing of its higher bits to its lower ones.
    hash ^= hash >>> 15;
  }
  return hash >> 1;
}
