import { describe, expect, test } from 'vitest';
import { blocksOf } from './contentBlocks.ts';

const only = (item: unknown) => blocksOf({ content: [item] })[0]?.block;

describe('blocksOf', () => {
  test('text is text, whatever it looks like', () => {
    expect(only({ type: 'text', text: '<b>hi</b>' })).toMatchObject({ kind: 'text', text: '<b>hi</b>' });
  });

  test('pictures and sound are drawn for known types only', () => {
    expect(only({ type: 'image', mimeType: 'image/png', data: 'AAAA' })).toMatchObject({
      kind: 'image',
      src: 'data:image/png;base64,AAAA',
    });
    expect(only({ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' })).toMatchObject({ kind: 'audio' });
    expect(only({ type: 'image', mimeType: 'text/html', data: 'AAAA' })).toMatchObject({ kind: 'json' });
    expect(only({ type: 'image', mimeType: 'audio/wav', data: 'AAAA' })).toMatchObject({ kind: 'json' });
    expect(only({ type: 'image', mimeType: 'image/png', data: 'A,"<x>' })).toMatchObject({ kind: 'json' });
  });

  test('a resource is shown by what is in it', () => {
    const resource = (more: object) => only({ type: 'resource', resource: { uri: 'a:b', ...more } });
    expect(resource({ text: '# hi', mimeType: 'text/markdown' })).toEqual({
      kind: 'text',
      text: '# hi',
      mimeType: 'text/markdown',
      title: 'a:b, text/markdown',
    });
    expect(resource({ blob: 'AAAA', mimeType: 'image/gif' })).toMatchObject({ kind: 'image' });
    expect(resource({ blob: 'AAAA', mimeType: 'application/zip' })).toMatchObject({
      kind: 'bytes',
      base64: 'AAAA',
    });
    expect(resource({})).toMatchObject({ kind: 'json' });
  });

  test('a link says where it leads', () => {
    expect(
      only({ type: 'resource_link', uri: 'a:b', name: 'B', mimeType: 'text/plain', size: 1200 }),
    ).toEqual({
      kind: 'link',
      uri: 'a:b',
      title: 'B',
      about: 'text/plain · 1,200 B',
    });
  });

  test('what is not known is shown as JSON', () => {
    expect(only({ type: 'hologram', data: 'AAAA' })).toMatchObject({
      kind: 'json',
      title: 'Unsupported content type: hologram',
    });
    expect(only('odd')).toMatchObject({ kind: 'json', value: 'odd' });
    expect(blocksOf({ odd: true })[0]?.block).toMatchObject({ kind: 'json', value: { odd: true } });
    expect(blocksOf({ content: 'odd' })[0]?.block).toMatchObject({ kind: 'json' });
    expect(blocksOf({ content: [] })).toEqual([]);
  });

  test('structured content follows', () => {
    expect(blocksOf({ content: [], structuredContent: { a: 1 } })).toEqual([
      { block: { kind: 'structured', value: { a: 1 } }, note: '' },
    ]);
  });

  test('what the server says of a block stands beside it', () => {
    const annotations = { audience: ['user', 'assistant'], priority: 0.5 };
    expect(blocksOf({ content: [{ type: 'text', text: '', annotations }] })[0]?.note).toBe(
      'for user and assistant, priority 0.5',
    );
  });

  test('structured content that is also there as text is shown once, and says so', () => {
    const structuredContent = { a: 1, b: [2] };
    const text = (value: string) => ({ type: 'text', text: value });
    const kinds = (...content: unknown[]) =>
      blocksOf({ content, structuredContent }).map(({ block, note }) => [block.kind, note]);
    expect(kinds(text('{ "b": [2], "a": 1 }'))).toEqual([
      ['structured', 'The text content is the same JSON'],
    ]);
    expect(kinds(text('{"a":1,"b":[3]}'))).toEqual([
      ['text', ''],
      ['structured', ''],
    ]);
    expect(kinds(text('{ not JSON'), text('{"a":1,"b":[2]}')).map(([kind]) => kind)).toEqual([
      'text',
      'structured',
    ]);
  });
});
