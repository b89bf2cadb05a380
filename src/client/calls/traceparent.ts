/** W3C Trace Context: a new trace, sampled, with one span. MCP sends it in `_meta` (SEP-414). */
export function newTraceparent(random: (bytes: number) => Uint8Array = randomBytes): string {
  return `00-${hex(random(16))}-${hex(random(8))}-01`;
}

/** An ID of zeros is invalid, so its last bit is set. */
function hex(bytes: Uint8Array): string {
  const isZero = bytes.every((byte) => byte === 0);
  return [...bytes]
    .map((byte, i) => (isZero && i === bytes.length - 1 ? 1 : byte).toString(16).padStart(2, '0'))
    .join('');
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
