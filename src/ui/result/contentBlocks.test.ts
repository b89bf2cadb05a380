import { describe, expect, test } from 'vitest';
import { blocksOf } from './contentBlocks.ts';

const only = (item: unknown) => blocksOf({ content: [item] })[0];

describe('blocksOf', () => {
  test('text is text, whatever it looks like', () => {
    expect(only({ type: 'text', text: '<b>hi</b>' })).toEqual({ kind: 'text', text: '<b>hi</b>' });
  });

  test('an image is drawn for known image types only', () => {
    expect(only({ type: 'image', mimeType: 'image/png', data: 'AAAA' })).toMatchObject({
      kind: 'image',
      src: 'data:image/png;base64,AAAA',
    });
    expect(only({ type: 'image', mimeType: 'text/html', data: 'AAAA' })).toMatchObject({ kind: 'json' });
    expect(only({ type: 'image', mimeType: 'image/png', data: 'A,"<x>' })).toMatchObject({ kind: 'json' });
  });

  test('what is not known is shown as JSON', () => {
    expect(only({ type: 'audio', data: 'AAAA' })).toMatchObject({ kind: 'json', title: 'audio' });
    expect(only('odd')).toMatchObject({ kind: 'json', value: 'odd' });
    expect(blocksOf({ odd: true })).toMatchObject([{ kind: 'json', value: { odd: true } }]);
  });

  test('structured content follows', () => {
    expect(blocksOf({ content: [], structuredContent: { a: 1 } })).toEqual([
      { kind: 'json', title: 'Structured content', value: { a: 1 } },
    ]);
  });
});
