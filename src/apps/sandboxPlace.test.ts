import fc from 'fast-check';
import { expect, test } from 'vitest';
import { opaquePlace, ownPlace } from './sandboxPlace.ts';

test('each server has an origin of its own, the same every time', () => {
  const [a, b] = ['a', 'b'].map((server) => ownPlace('https://*.apps.example', server));
  expect(a?.messageOrigin).not.toBe(b?.messageOrigin);
  expect(ownPlace('https://*.apps.example', 'a')).toEqual(a);
  expect(a?.url).toBe(`${a?.messageOrigin}/sandbox.html`);
});

test('any ID makes a valid host name', () => {
  fc.assert(
    fc.property(fc.string(), (server) => {
      const { url, messageOrigin } = ownPlace('https://*.apps.example', server);
      expect(new URL(url).origin).toBe(messageOrigin);
    }),
  );
});

test('an origin without room for names is shared', () => {
  expect(ownPlace('http://localhost:24778', 'a').url).toBe('http://localhost:24778/sandbox.html');
});

test('an opaque frame is beside the page, and has no origin', () => {
  const place = opaquePlace('https://tools.example/my/index.html?a#b');
  expect(place.url).toBe('https://tools.example/my/sandbox.html');
  expect(place.attribute).not.toContain('allow-same-origin');
});
