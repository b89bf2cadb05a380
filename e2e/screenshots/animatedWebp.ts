/** Joins WebP pictures to one that moves (RIFF chunks VP8X, ANIM and ANMF of the WebP container). Pure. */

export interface Frame {
  /** A whole WebP file of one picture. */
  readonly picture: Uint8Array;
  readonly durationMs: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const ANIMATION_FLAG = 0x02;
/** Each frame covers the whole picture, so it's drawn over the last one without blending. */
const NO_BLEND = 0x02;

/** Plays the frames in a loop. */
export function animatedWebp(frames: readonly Frame[], { width, height }: Size): Uint8Array {
  const header = new Uint8Array(10);
  header[0] = ANIMATION_FLAG;
  header.set(uint24(width - 1), 4);
  header.set(uint24(height - 1), 7);
  // A white background, repeated forever.
  const animation = Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0, 0]);
  const body = concat([
    ascii('WEBP'),
    chunk('VP8X', header),
    chunk('ANIM', animation),
    ...frames.map((frame) => chunk('ANMF', frameOf(frame, { width, height }))),
  ]);
  return concat([ascii('RIFF'), uint32(body.length), body]);
}

function frameOf({ picture, durationMs }: Frame, { width, height }: Size): Uint8Array {
  const place = [...uint24(0), ...uint24(0), ...uint24(width - 1), ...uint24(height - 1)];
  return concat([
    Uint8Array.from([...place, ...uint24(durationMs), NO_BLEND]),
    ...chunksOf(picture)
      .filter(({ name }) => name === 'VP8 ' || name === 'VP8L' || name === 'ALPH')
      .map(({ name, data }) => chunk(name, data)),
  ]);
}

export function chunksOf(file: Uint8Array): readonly { name: string; data: Uint8Array }[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const name = (at: number) => String.fromCharCode(...file.subarray(at, at + 4));
  if (name(0) !== 'RIFF' || name(8) !== 'WEBP') throw new Error('Not a WebP file.');
  const found: { name: string; data: Uint8Array }[] = [];
  for (let at = 12; at + 8 <= file.length;) {
    const size = view.getUint32(at + 4, true);
    found.push({ name: name(at), data: file.subarray(at + 8, at + 8 + size) });
    at += 8 + size + (size % 2);
  }
  return found;
}

const chunk = (name: string, data: Uint8Array): Uint8Array =>
  concat([ascii(name), uint32(data.length), data, new Uint8Array(data.length % 2)]);

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

const uint24 = (value: number): Uint8Array => Uint8Array.from([value, value >> 8, value >> 16]);

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
