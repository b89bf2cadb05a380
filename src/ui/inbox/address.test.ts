import { expect, test } from 'vitest';
import { readAddress } from './address.ts';

test('says where an address really leads', () => {
  expect(readAddress('https://example.com/a?b#c')).toEqual({
    ok: true,
    value: { href: 'https://example.com/a?b#c', host: 'example.com', isSecure: true },
  });
  expect(readAddress('http://bank.example@evil.example/')).toMatchObject({
    value: { host: 'evil.example', isSecure: false, warning: expect.stringContaining('@') },
  });
  expect(readAddress('https://раypal.com/')).toMatchObject({
    value: { warning: expect.stringContaining('lookalike') },
  });
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://x/1',
  'nothing',
  '',
])('%j is not opened', (text) => {
  expect(readAddress(text).ok).toBe(false);
});
