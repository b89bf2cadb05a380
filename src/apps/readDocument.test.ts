import { expect, test } from 'vitest';
import { readDocument } from './readDocument.ts';

const URI = 'ui://a';
const TYPE = 'text/html;profile=mcp-app';
const read = (content: object) => readDocument(URI, { contents: [{ uri: URI, mimeType: TYPE, ...content }] });

test('the text is the document, and its metadata comes along', () => {
  const _meta = { ui: { prefersBorder: true } };
  expect(read({ text: '<p>ä', _meta })).toEqual({
    ok: true,
    value: { uri: URI, html: '<p>ä', ui: { prefersBorder: true } },
  });
});

test('a blob is decoded as UTF-8', () => {
  expect(read({ blob: Buffer.from('<p>ä').toString('base64') })).toMatchObject({ value: { html: '<p>ä' } });
});

test('a space in the type is allowed', () => {
  expect(read({ mimeType: 'text/html; profile=mcp-app', text: '' })).toMatchObject({ ok: true });
});

test.each([
  ['another type', { mimeType: 'text/html', text: '' }, 'has the type “text/html”'],
  ['neither text nor blob', {}, 'has no text and no readable blob'],
  ['a blob that is no base64', { blob: '%' }, 'has no text and no readable blob'],
])('a content with %s is no view', (_, content, why) => {
  expect(read(content)).toMatchObject({ ok: false, error: expect.stringContaining(why) as string });
});

test.each([undefined, {}, { contents: [] }, { contents: ['x'] }])('%j has no content', (response) => {
  expect(readDocument(URI, response)).toMatchObject({ ok: false });
});
