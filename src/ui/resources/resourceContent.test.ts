import { describe, expect, it } from 'vitest';
import { hexDump } from './hexDump.ts';
import { fileNameOf, readContent, readContents } from './resourceContent.ts';

const kindOf = (item: object) => readContent(item).content.kind;

describe('what was read', () => {
  it('is told by its type and its bytes', () => {
    expect(kindOf({ text: 'a' })).toBe('text');
    expect(kindOf({ blob: 'AAAA', mimeType: 'image/png; q=1' })).toBe('image');
    expect(kindOf({ blob: 'AAAA', mimeType: 'audio/wav' })).toBe('audio');
    expect(kindOf({ blob: btoa('%PDF-1.4'), mimeType: 'text/plain' })).toBe('pdf');
    expect(kindOf({ blob: 'AAAA', mimeType: 'text/html' })).toBe('binary');
    expect(kindOf({ blob: 'AAAA', mimeType: 'image/png,<script>' })).toBe('binary');
  });

  it('is shown as it came where it cannot be read', () => {
    expect(kindOf({ blob: 'not base64!' })).toBe('odd');
    expect(kindOf({})).toBe('odd');
    expect(kindOf([])).toBe('odd');
    expect(readContents({ contents: [7] })).toMatchObject([{ content: { kind: 'odd', value: 7 } }]);
    expect(readContents({})).toEqual([]);
  });

  it('is a file with a harmless name', () => {
    expect(fileNameOf('file:///a/b%20c.txt?x#y')).toBe('b_20c.txt');
    expect(fileNameOf('x://')).toBe('x_');
    expect(fileNameOf('')).toBe('resource');
  });
});

describe('bytes', () => {
  it('stand in rows of sixteen, with the text that they might be', () => {
    const bytes = Uint8Array.from([...Array.from('Hello, world! ABC', (c) => c.charCodeAt(0)), 0, 255]);
    expect(hexDump(bytes)).toBe(
      [
        '00000000  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 41 42  Hello, world! AB',
        '00000010  43 00 ff                                          C..',
      ].join('\n'),
    );
    expect(hexDump(new Uint8Array())).toBe('');
  });
});
