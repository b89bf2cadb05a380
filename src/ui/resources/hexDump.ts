/** Bytes as people look at them: an offset, sixteen of them as hexadecimal numbers, and the text that they might be. */
const WIDTH = 16;

export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const row = [...bytes.subarray(at, at + WIDTH)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'));
    const halves = [hex.slice(0, 8).join(' '), hex.slice(8).join(' ')].join('  ');
    lines.push(
      `${at.toString(16).padStart(8, '0')}  ${halves.padEnd(WIDTH * 3)}  ${row.map(printable).join('')}`,
    );
  }
  return lines.join('\n');
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}
